import base64
import gzip
import re

import matplotlib as mpl
import pytest
from typer.testing import CliRunner

from labelscape.cli.main import app

mpl.use("Agg")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command line in an empty folder, and return the result."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments):
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return command


@pytest.fixture
def trees(tmp_path):
    """Write a small table of mixed types, with two missing values."""
    path = tmp_path / "trees.csv"
    lines = ["name,kind,height,leaf,evergreen"]
    for i in range(24):
        height = "" if i in (3, 17) else 10 + i % 12 + 8 * (i >= 12)
        kind, leaf = ("oak", "broad") if i < 12 else ("fir", "needle")
        lines.append(f"t{i},{kind},{height},{leaf if i % 5 else 'cut'},{i >= 12}")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def shown(tmp_path):
    """Return the scene in a page."""
    from labelscape.scene import decode

    def scene(name):
        html = (tmp_path / name).read_text(encoding="utf-8")
        packed = re.search(r'type="application/gzip">([^<]*)<', html).group(1)
        return decode(gzip.decompress(base64.b64decode(packed)))

    return scene
