"""A scene as one HTML file, which opens offline."""

import base64
import gzip
import hashlib
import os
from html import escape
from pathlib import Path
from string import Template

from labelscape._core.errors import Message
from labelscape._core.output import write_atomically
from labelscape._core.params import arguments, binary, text
from labelscape._core.params import path as path_rule

# Only the script with this checksum runs, so text in a label cannot become a script.
# Nothing is loaded. 'unsafe-eval' is for regl, which generates drawing functions at run
# time; blob: is for its worker and for saved pictures. The policy of the app
# (`app/security.py`) is as strict for the view.
POLICY = (
    "default-src 'none'; script-src 'sha256-$checksum' 'unsafe-eval'; "
    "worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)

PAGE = Template(f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>html, body, #labelscape {{ height: 100%; margin: 0 }}</style>
</head>
<body>
<noscript>This page needs JavaScript, which is disabled.</noscript>
<div id="labelscape"></div>
<script id="scene" type="application/gzip">$scene</script>
<script>$program</script>
</body>
</html>
""")


@arguments(scene=binary(), title=text())
def html_page(scene: bytes, title: str = "Labelscape") -> bytes:
    """Return an HTML page that shows a scene.

    Parameters
    ----------
    scene : bytes
        The scene, as :func:`labelscape.scene.encode` writes it.
    title : str, default="Labelscape"
        Title of the page, as plain text.

    Returns
    -------
    bytes
        The page, in UTF-8.

    Examples
    --------
    >>> from labelscape.hosts import html_page
    >>> from labelscape.scene import Subject, build_scene, encode
    >>> scene = build_scene(Subject([[0.0, 0.0], [1.0, 2.0]]))
    >>> html_page(encode(scene), title="Two points")[:15]
    b'<!doctype html>'
    """
    # Inside a script, HTML searches only for the closing tag, so such text is split.
    program = built("page.js").replace("</script", r"<\/script")
    # Without a time stamp, the same scene gives the same file.
    packed = gzip.compress(scene, compresslevel=6, mtime=0)
    checksum = base64.b64encode(hashlib.sha256(program.encode("utf-8")).digest())
    return PAGE.substitute(
        title=escape(title),
        scene=base64.b64encode(packed).decode("ascii"),
        program=program,
        checksum=checksum.decode(),
    ).encode("utf-8", "replace")


@arguments(path=path_rule(), scene=binary(), title=text())
def write_page(path: str | os.PathLike[str], scene: bytes, title: str) -> Path:
    """Write the page of a scene; missing folders are created.

    Parameters
    ----------
    path : path
        File to write.
    scene : bytes
        The scene, as :func:`labelscape.scene.encode` writes it.
    title : str
        Title of the page.

    Returns
    -------
    Path
        The same path.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from labelscape.hosts import write_page
    >>> from labelscape.scene import Subject, build_scene, encode
    >>> scene = build_scene(Subject([[0.0, 0.0], [1.0, 2.0]]))
    >>> with TemporaryDirectory() as folder:
    ...     page = write_page(Path(folder, "maps", "two.html"), encode(scene), "Two")
    ...     page.name, page.exists()
    ('two.html', True)
    """
    path = Path(path)
    write_atomically(path, html_page(scene, title), make_folders=True)
    return path


STATIC = Path(__file__).with_name("static")


class NotBuiltError(Message, FileNotFoundError):
    """The files of the view are not in this installation."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.parts = (
            f"The view is not built: there is no {name} in this installation. Install "
            "a wheel of Labelscape, or run 'make view' in its sources (with Node).",
        )


def built(name: str) -> str:
    """Return the text of a built file of the view; raise an error if it is missing."""
    try:
        return (STATIC / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotBuiltError(name) from None
