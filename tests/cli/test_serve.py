"""``labelscape serve``: the link, access, and the end of the server."""

import re
import shlex
import signal
import socket
import sys
import threading

import httpx
import pytest
from tests.hosts.app.serving import started_in, until


@pytest.fixture
def serving(tmp_path):
    """Start servers for one workspace, and stop all servers at the end."""
    with started_in(tmp_path / "space") as start:
        yield start


@pytest.fixture
def server(serving):
    return serving()


def ended(run, *options):
    """Run the command, which must end by itself, and return its output."""
    done = run("serve", "--no-open", *options)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert isinstance(done.exception, SystemExit)
    return done.stderr


def refused(run, *options):
    """Return the error message of the command."""
    words = ended(run, *options)
    assert words.startswith("labelscape: ")
    assert words.count("\n") == 1
    return words


def test_the_printed_link_opens_the_page_and_is_for_this_machine(server):
    assert server.address.startswith("http://127.0.0.1:")
    with httpx.Client() as browser:
        door = browser.get(server.link)
        assert door.headers["refresh"] == "0; url=/"
        page = browser.get(server.address)  # now with the cookie
        assert '<div id="labelscape">' in page.text
        script = browser.get(f"{server.address}/static/app.js")
        assert script.status_code == 200
    assert httpx.get(server.address).status_code == 401


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_in_order_with_a_fit_running_and_a_page_watching(serving, sign):
    server = serving()
    client = server.client
    key = client.slow(client.added())
    seen = threading.Event()
    heard = []

    def watch():
        address = f"{server.address}/api/runs/{key}/events"
        with httpx.stream("GET", address, headers=server.http.headers) as answer:
            for line in answer.iter_lines():
                heard.append(line)
                seen.set()

    watching = threading.Thread(target=watch)
    watching.start()
    assert seen.wait(60)
    assert server.stop(sign) == 0
    watching.join(10)
    assert server.log.read_text() == ""
    assert server.left() == []
    assert '"state":"interrupted"' in "".join(heard)

    again = serving()
    assert again.client.get(f"/runs/{key}")["state"] == "interrupted"


def test_ctrl_c_at_once_leaves_no_traceback(server):
    assert server.stop() == 0
    assert server.log.read_text() == ""


def test_a_table_given_at_the_start_is_shown_first(serving, tmp_path):
    (tmp_path / "trees.csv").write_text("a,kind\n1,x\n2,y\n3,x\n4,y\n")
    server = serving(str(tmp_path / "trees.csv"))
    key = server.link.partition("&table=")[2]
    assert server.client.get(f"/tables/{key}")["name"] == "trees.csv"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "box.example"])
def test_other_machines_are_let_in_only_when_asked_for(run, host):
    done = run("serve", "--host", host)
    assert done.exit_code == 2
    assert "--allow-remote" in done.stderr
    assert "not encrypted" in done.stderr


def test_letting_others_in_says_what_that_means(run, monkeypatch):
    asked = {}
    monkeypatch.setattr(
        "labelscape.hosts._internal.serve_workspace",
        lambda *_, **options: asked.update(options),
    )
    done = run("serve", "--host", "0.0.0.0", "--allow-remote", "--memory", "0.5")
    assert done.exit_code == 0
    assert "and has the link can use this app" in done.stderr
    assert asked["host"] == "0.0.0.0"
    assert asked["memory"] == 2**29


def test_a_port_in_use_is_told(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port}" in refused(run, "--port", str(port))


def test_a_host_that_is_not_ours_is_told(run):
    words = ended(run, "--host", "nowhere.invalid", "--allow-remote")
    assert "cannot listen on nowhere.invalid" in words


def test_a_workspace_that_is_open_is_told(server, tmp_path, run):
    words = refused(run, "--workspace", str(tmp_path / "space"))
    assert "Another Labelscape app has the workspace" in words
    assert server.client.get("/runs") == []  # and the first goes on


def test_a_workspace_that_can_not_be_made_is_told(tmp_path, run):
    (tmp_path / "file").write_text("")
    assert "file" in refused(run, "--workspace", str(tmp_path / "file"))


def test_a_file_that_is_not_there_is_told_in_the_words_of_the_command_line(run):
    words = refused(run, "nope.csv")
    assert "There is no file 'nope.csv'. 'labelscape datasets' lists" in words
    assert "'labelscape datasets' lists all data sets" in refused(run, "nope")


def test_a_fit_needs_some_memory(run):
    assert "--memory" in ended(run, "--memory", "-1")


# Stands for a browser: keeps its command line, and what it finds there.
BROWSER = """
import sys
from pathlib import Path
from urllib.request import url2pathname
note = Path(sys.argv[1])
page = Path(url2pathname(sys.argv[2].removeprefix("file://")))
note.with_suffix(".part").write_text(sys.argv[2] + chr(10) + page.read_text())
note.with_suffix(".part").rename(note)
"""


def test_the_token_is_not_on_the_command_line_of_the_browser(
    serving, tmp_path, monkeypatch
):
    (tmp_path / "browser.py").write_text(BROWSER)
    note = tmp_path / "note"
    words = [sys.executable, str(tmp_path / "browser.py"), str(note), "%s"]
    monkeypatch.setenv("BROWSER", shlex.join(words))
    server = serving("--open")
    until(note.exists)
    address, page = note.read_text().split("\n", 1)
    assert server.token not in address
    assert re.search(r'url=(.*?)"', page)[1] == server.link
    assert server.stop() == 0
    assert not (tmp_path / "space" / "open.html").exists()
