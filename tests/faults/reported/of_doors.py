"""Files of cells, pictures and positions of other programs."""

import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
from tests.faults.reported.registry import reported

from labelscape.datasets import read_table


def of_cells(name, must):
    """Register a look that needs anndata, if it is installed."""
    return reported(name, must) if find_spec("anndata") else lambda look: look


def _cells(path, **parts):
    import anndata
    import h5py
    import pandas as pd
    from scipy.sparse import csr_matrix

    obs = pd.DataFrame({"t": ["a", "b"] * 30}, index=[f"c{i}" for i in range(60)])
    X = csr_matrix(np.random.default_rng(0).poisson(2.0, (60, 5)).astype("f4"))
    anndata.AnnData(X, obs=obs, **parts).write_h5ad(path)
    return h5py.File(path, "r+")


def _refusal(call):
    """Return the message of an error in our own words, or None."""
    from tests.faults.fuzz.oracle import in_words

    try:
        call()
    except Exception as error:
        return str(error)[:160] if in_words(error) else None
    return None


def _python(code, *arguments, seconds=60):
    """Run code in a process of its own; return its exit code and last line."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, f"not ended after {seconds} s"
    lines = (done.stdout + done.stderr).strip().splitlines()
    return done.returncode, lines[-1][-200:] if lines else ""


READ = """
import sys; from labelscape.datasets import read_table
try: print("read", read_table(sys.argv[1], label=sys.argv[2] or None).X.shape)
except ValueError as error: print("refused:", error)
"""


@of_cells("S2", "an h5ad file does not read other files of the machine")
def external_storage(folder):
    (folder / "secret").write_bytes(bytes(range(100, 160)))
    with _cells(folder / "f.h5ad") as file:
        leak = file.create_dataset(
            "obs/leak", (60,), "u1", external=[(str(folder / "secret"), 0, 60)]
        )
        leak.attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})
        file["obs"].attrs["column-order"] = ["t", "leak"]
    code, words = _python(READ, folder / "f.h5ad", "t")
    return code == 0 and "refused" in words, words


@of_cells("S3", "sparse indices out of range do not end the interpreter")
def sparse_indices(folder):
    with _cells(folder / "f.h5ad") as file:
        file["X/indices"][3] = 9_999_999
    code, words = _python(READ, folder / "f.h5ad", "t")
    return code == 0 and "refused" in words, f"exit code {code} {words}"


@reported("S3 X", "a sparse X with indices out of range is refused by estimators")
def sparse_argument(folder):
    code, words = _python("""
import numpy as np; from scipy.sparse import csr_array
from labelscape.prototypes import GLVQ
X = csr_array(np.random.default_rng(0).poisson(1.0, (60, 5)).astype(float))
X.indices[::3] = 99_999_999
try: GLVQ(solver="lbfgs", max_iter=5).fit(X, np.arange(60) % 2); print("fitted")
except ValueError as error: print("refused:", error)
""")
    return code == 0 and "refused" in words, f"exit code {code} {words}"


@of_cells("W1 obsm", "vectors of three dimensions or of words are described")
def odd_vectors(folder):
    seen = []
    for i, odd in enumerate((np.zeros((60, 2, 3)), np.full((60, 2), 1 + 2j))):
        _cells(folder / f"{i}.h5ad", obsm={"X_pca": odd}).close()
        seen.append(_refusal(lambda i=i: read_table(folder / f"{i}.h5ad", label="t")))
    return all(seen), seen


@of_cells("W1 h5ad", "a damaged h5ad file does not loop for ever")
def endless_heap(folder):
    path = folder / "f.h5ad"
    _cells(path).close()
    content = bytearray(path.read_bytes())
    at = content.find(b"GCOL\1\0\0\0") + 16
    content[at : at + 16] = bytes(16)
    path.write_bytes(content)
    code, words = _python(READ, path, "t", seconds=30)
    return code == 0 and "refused" in words, words


def _pictures(folder, save, n=12):
    from PIL import Image

    rng = np.random.default_rng(0)
    for name in "ab":
        (folder / name).mkdir()
        for i in range(n):
            values = rng.integers(0, 256, (20, 20))
            deep, ending = save(values) if name == "b" else (values.astype("u1"), "png")
            Image.fromarray(deep).save(folder / name / f"{i}.{ending}")
    return folder


@reported("W1 bits", "pictures with 8 and with 16 bits, and floats, have one scale")
def bit_depths(folder):
    gaps = []
    for i, (factor, kind) in enumerate([(257, "u2"), (257, "i4"), (1 / 255, "f4")]):
        (folder / str(i)).mkdir()
        table = read_table(
            _pictures(
                folder / str(i),
                lambda v, f=factor, k=kind: ((v * f).astype(k), "tif"),
            )
        )
        a, b = (table.X[table.y == name].mean() for name in "ab")
        gaps.append(abs(a - b))
    return max(gaps) < 0.1, f"classes differ by {max(gaps):.3g} on average"


@reported("W1 floats", "float pictures with any other value are refused")
def float_values(folder):
    pictures = _pictures(folder, lambda v: ((v * 1e25).astype("f4"), "tif"))
    words = _refusal(lambda: read_table(pictures))
    return words is not None, words or "read"


@reported("W1 pipe", "a pipe in a folder of pictures does not hang")
def pipe(folder):
    _pictures(folder, lambda v: (v.astype("u1"), "png"))
    os.mkfifo(folder / "a" / "z.png")
    code, words = _python(READ, folder, "", seconds=30)
    return code == 0 and "refused" in words, words


@reported("W1 link", "links out of a folder of pictures are refused")
def link(folder):
    from PIL import Image

    Image.fromarray(np.zeros((9, 9), "u1")).save(folder / "outside.png")
    (folder / "in").mkdir()
    pictures = _pictures(folder / "in", lambda v: (v.astype("u1"), "png"))
    (pictures / "a" / "z.png").symlink_to(folder / "outside.png")
    words = _refusal(lambda: read_table(pictures))
    return words is not None, words or "read"


@reported("W1 pixels", "a small file with 169 million pixels is not decoded")
def pixels(folder):
    from PIL import Image

    pictures = _pictures(folder, lambda v: (v.astype("u1"), "png"))
    Image.new("L", (13_000, 13_000)).save(pictures / "a" / "z.png")
    words = _refusal(lambda: read_table(pictures))
    return words is not None, words or "read"


def _table(folder, order=None):
    import pandas as pd
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(X, columns=list("pqrs")).assign(
        kind=[f"k{c}" for c in y], id=[f"r{i}" for i in range(150)]
    )
    frame.to_csv(folder / "d.csv", index=False)
    m = frame[["p", "q", "id"]].rename(columns={"p": "x", "q": "y"})
    m = m.assign(x=X[:, 2], y=X[:, 3])
    return m if order is None else m.iloc[order]


CERTIFY = """
import json, sys
from typer.testing import CliRunner
from labelscape.cli.main import app
options = ["--label", "kind", "--id", "id", "--json"]
done = CliRunner().invoke(app, ["certify", *sys.argv[1:], *options])
if done.exit_code == 0: print("real:", json.loads(done.stdout)["maps"][0]["real"])
else: print("exit", done.exit_code, repr(done.exception), " ".join(done.output.split()))
"""


@reported("C1", "certify joins a map by its ids")
def joined(folder):
    order = np.random.default_rng(0).permutation(150)
    _table(folder, order).to_csv(folder / "m.csv", index=False)
    _, words = _python(CERTIFY, folder / "d.csv", folder / "m.csv")
    return words == "real: yes", words


@reported("C1 others", "certify refuses a map of other ids")
def other_ids(folder):
    _table(folder).assign(id=[f"q{i}" for i in range(150)]).to_csv(
        folder / "m.csv", index=False
    )
    _, words = _python(CERTIFY, folder / "d.csv", folder / "m.csv")
    return "exit 2" in words and "r0" in words, words


@reported("W1 npy", "a map with a header of 200 billion numbers is refused in words")
def huge_header(folder):
    _table(folder)
    with (folder / "m.npy").open("wb") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": (10**11, 2)}
        np.lib.format.write_array_header_1_0(file, header)
    _, words = _python(CERTIFY, folder / "d.csv", folder / "m.npy")
    return "exit 2" in words and "declares" in words, words


@reported("W1 complex", "complex positions are refused")
def complex_positions(folder):
    _table(folder)
    np.save(folder / "m.npy", np.zeros((150, 2), complex) + np.eye(150, 2) * 1j)
    _, words = _python(CERTIFY, folder / "d.csv", folder / "m.npy")
    return "exit 2" in words and "complex" in words, words
