import base64
import gzip
import hashlib
import re

import pytest

from labelscape.hosts import page as page_file
from labelscape.hosts.app.security import HEADERS
from labelscape.hosts.page import STATIC, html_page, write_page

SCENE = b"LSCN" + bytes(range(256)) * 40
PROGRAM = "const end = '</script><b>'; // ä"


@pytest.fixture(autouse=True)
def program(monkeypatch):
    """A small program in place of the view."""
    monkeypatch.setattr(page_file, "built", lambda name: PROGRAM)


def part(html, opening):
    return re.search(re.escape(opening) + r"(.*?)</script>", html, re.DOTALL).group(1)


def test_the_scene_can_be_unpacked_from_the_page():
    html = html_page(SCENE).decode()
    packed = part(html, '<script id="scene" type="application/gzip">')
    assert gzip.decompress(base64.b64decode(packed)) == SCENE


def test_a_program_that_speaks_of_scripts_does_not_end_early():
    assert part(html_page(SCENE).decode(), "<script>") == PROGRAM.replace("</", "<\\/")


def test_only_the_program_of_the_page_may_run():
    html = html_page(SCENE).decode()
    digest = hashlib.sha256(part(html, "<script>").encode()).digest()
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', html).group(1)
    assert f"'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert "default-src 'none'" in policy
    assert "http" not in policy
    assert "'unsafe-inline'" not in policy.split("style-src")[0]


def directives(policy):
    """Return what a policy allows, less what differs from page to page."""
    parts = (part.split() for part in policy.split(";"))
    own = ("'self'", "'sha256-")
    return {
        name: {source for source in sources if not source.startswith(own)}
        for name, *sources in parts
    }


def test_the_page_and_the_app_allow_the_view_the_same():
    page = directives(page_file.POLICY)
    app = directives(HEADERS["content-security-policy"])
    for name in ("default-src", "script-src", "worker-src", "style-src", "img-src"):
        assert page[name] == app[name], name


def test_a_title_is_text_whatever_it_holds():
    html = html_page(SCENE, title="</title><script>alert(1)</script>&").decode()
    assert "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;" in html


def test_a_title_with_a_dollar_sign_is_left_alone():
    assert (
        "<title>$scene in $</title>" in html_page(SCENE, title="$scene in $").decode()
    )


def test_the_page_says_its_language_and_what_it_needs():
    html = html_page(SCENE).decode()
    assert html.startswith('<!doctype html>\n<html lang="en">')
    assert 'name="viewport"' in html
    assert "<noscript>This page needs JavaScript" in html


def test_the_same_scene_gives_the_same_file():
    assert html_page(SCENE) == html_page(SCENE)


def test_folders_are_made_and_nothing_else_is_left(tmp_path):
    path = write_page(tmp_path / "deep" / "map.html", SCENE, "Map")
    assert path.read_bytes() == html_page(SCENE, "Map")
    assert list(path.parent.iterdir()) == [path]


def test_the_built_program_holds_nothing_that_html_reads_as_its_own():
    # A comment that opens in a script would hide the end of the script.
    assert "<!--" not in (STATIC / "page.js").read_text(encoding="utf-8")
