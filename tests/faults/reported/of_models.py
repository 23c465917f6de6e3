"""Faults of model files, of the app's server, and of names in a terminal."""

import io
import os
import re
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
from tests.faults.reported.registry import reported
from tests.hosts.app.serving import started_in


def _iris():
    from sklearn.datasets import load_iris

    return load_iris(return_X_y=True)


def _written(path, name, data):
    """Write a model file that consists of the bytes of a skops file."""
    from labelscape._model_file import _archive

    array = np.frombuffer(data, np.uint8)
    node = {"class": name, "skops": {"array": "arrays/0.npy"}}
    path.write_bytes(_archive.pack(node, [array]))
    return path


def _loading(path, then="pass", seconds=60):
    """Load a file in another process: its exit code, words, and MB and seconds used."""
    code = (
        "import re, sys, time, labelscape, numpy as np\n"
        "from labelscape import load\n"
        "start = time.process_time()\n"
        "try:\n"
        "    model = load(sys.argv[1])\n"
        f"    {then}\n"
        "    print('loaded')\n"
        "except Exception as error:\n"
        "    print(type(error).__name__)\n"
        "status = open('/proc/self/status').read()\n"
        "print(int(re.search(r'VmHWM:\\s*(\\d+)', status)[1]) // 1024)\n"
        "print(time.process_time() - start)\n"
    )
    command = [sys.executable, "-c", code, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, "hangs", 0, seconds
    words, memory, used, *_ = [*done.stdout.split(), "", 0, 0]
    return done.returncode, words, int(memory), float(used)


def _swollen(data, name, content):
    """Return a compressed skops file in which one member is replaced."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for member in old.namelist():
            own = content if member.endswith(name) else [old.read(member)]
            info = zipfile.ZipInfo(member)
            info.compress_type = zipfile.ZIP_DEFLATED
            with new.open(info, "w") as target:
                for piece in own:
                    target.write(piece)
    return file.getvalue()


@reported("S1", "a model file with the memory of a Pipeline is refused")
def memory_of_a_pipeline(folder):
    import skops.io
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    import labelscape

    X, y = _iris()
    steps = StandardScaler(), LogisticRegression()
    pipe = make_pipeline(*steps, memory=str(folder / "cache"))
    accepted = []
    for model in (pipe, OneVsRestClassifier(pipe)):
        model.fit(X, y)
        name = type(model).__name__
        crafted = _written(folder / "a.model", name, skops.io.dumps(model))
        for what, act in (
            ("load", lambda file=crafted: labelscape.load(file)),
            ("save", lambda one=model: labelscape.save(one, folder / "b.model")),
        ):
            try:
                act()
                accepted.append(f"{what} of {name}")
            except (ValueError, TypeError):
                pass
    return not accepted, f"accepted: {', '.join(accepted) or 'none'}"


@reported("S5", "bombs are refused within 500 MB and 10 s", is_slow=True)
def bombs(folder):
    import skops.io
    from sklearn.svm import SVC

    from labelscape._model_file import _archive

    data = skops.io.dumps(SVC().fit(*_iris()))
    zeros = [bytes(2**20)] * 1000
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "|u1", "fortran_order": False, "shape": (1000 * 2**20,)}
    )
    bombs = {
        "1 GB array": _swollen(data, ".npy", [header.getvalue(), *zeros]),
        "1.5 GB schema": _swollen(data, "schema.json", [b" " * 2**20] * 1500),
    }
    files = {k: _written(folder / k, "SVC", v) for k, v in bombs.items()}
    lists = b"[" + b"[]," * 20_000_000 + b"[]]"
    manifest = b'{"format": "labelscape-model", "version": 1, "model": %s}' % lists
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("manifest.json", manifest)
        archive.comment = b"0" * 64
    files["lists"] = folder / "lists"
    files["lists"].write_bytes(_archive.sealed(file.getvalue()[:-64]))
    seen, is_gone = [], True
    for name, path in files.items():
        code, words, memory, seconds = _loading(path, seconds=120)
        is_gone &= code == 0 and words == "ModelFileError" and memory < 500
        is_gone &= seconds < 10
        seen.append(f"{name}: {words} {memory} MB {seconds:.1f} s")
    return is_gone, "; ".join(seen)


@reported("S5 tree", "a tree whose child does not exist does not end the process")
def tree_out_of_range(folder):
    import skops.io
    from sklearn.tree import DecisionTreeClassifier

    X, y = _iris()
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    state = model.tree_.__getstate__()
    state["nodes"] = state["nodes"].copy()
    state["nodes"]["left_child"][0] = state["nodes"]["right_child"][0] = 10**12
    model.tree_.__setstate__(state)
    path = _written(folder / "a.model", "DecisionTreeClassifier", skops.io.dumps(model))
    code, words, _, _ = _loading(path, then="model.predict(np.ones((9, 4)))")
    return code == 0 and words == "ModelFileError", f"exit code {code}, {words}"


@reported(
    "W1 model pipe", "a pipe, a folder or a device is refused at once as a model file"
)
def pipe_as_model(folder):
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(folder / "socket"))
        places = [folder / "pipe", folder, "/dev/zero", folder / "socket"]
        seen = [_loading(place)[1] for place in places]
    return set(seen) == {"ModelFileError"}, ", ".join(seen)


SILENT = {
    "nothing": b"",
    "half a header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
    "a byte after an answer": b"GET / HTTP/1.1\r\nHost: a\r\n\r\nG",
    "a body that never comes": b"POST /api/tables HTTP/1.1\r\nHost: a\r\n"
    b"Content-Length: 9\r\n\r\n1",
}


def _answers(server, connections, sent, n):
    """Open silent connections, and return the answers to the owner meanwhile."""
    address = server.http.base_url.host, server.http.base_url.port
    answers = []
    for i in range(n):
        one = socket.create_connection(address, timeout=60)
        one.sendall(sent)
        connections.append(one)
        if i % 50 == 49:
            # Each time with a new connection, as of a new page.
            headers = {**server.http.headers, "connection": "close"}
            answers.append(server.http.get("/api/runs", headers=headers).status_code)
    return answers


@reported(
    "D1", "the owner is answered beside 300 and 600 silent connections", is_slow=True
)
def silent_connections(folder):
    seen, is_gone = [], True
    with started_in(folder / "w") as start:
        server = start()
        for way, sent in SILENT.items():
            for n in (300, 600):
                connections = []
                answers = _answers(server, connections, sent, n)
                for one in connections:
                    one.close()
                n_fine = answers.count(200)
                is_gone &= n_fine == len(answers)
                seen.append(f"{n} {way}: {n_fine} of {len(answers)}")
        log = server.log.read_text()
    return is_gone and not log, f"{'; '.join(seen)}; {len(log)} bytes of log"


@reported(
    "D1 streams", "the owner is answered beside 300 own event streams", is_slow=True
)
def event_streams(folder):
    with started_in(folder / "w") as start:
        server = start()
        run = server.client.slow(server.client.added())
        asked = (
            f"GET /api/runs/{run}/events HTTP/1.1\r\nHost: {server.http.base_url.host}"
        )
        asked += f":{server.http.base_url.port}\r\nAuthorization: Bearer {server.token}"
        connections = []
        answers = _answers(server, connections, f"{asked}\r\n\r\n".encode(), 300)
        for one in connections:
            one.close()
    return set(answers) == {200}, f"{answers.count(200)} of {len(answers)} answered"


RAW = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# A title, a color, a bell, an override of direction; and a name that looks like one.
CLASSES = ("\x1b]0;title\x07RED", "\x1b[2mé\x9b31m\u202e", r"\x1b[2mé\x9b31m\u202e")


def _hostile(n=90):
    """Return features, and classes and ids with control characters."""
    rng = np.random.default_rng(0)
    classes = np.array(CLASSES, dtype=object)[np.arange(n) % 3]
    X = rng.normal(size=(n, 4)) + 4.0 * np.eye(4)[np.arange(n) % 3]
    wrong = classes.copy()
    wrong[:3] = classes[[1, 2, 0]]
    return X, wrong, [f"row \x1b]2;x\x07{i}" for i in range(n)]


@reported("S4", "no control character of a table reaches the terminal or a file")
def controls_of_tables(folder):
    import pandas as pd

    import labelscape

    X, y, ids = _hostile()
    frame = pd.DataFrame(X, columns=["a\x07", "b", "c\x1b[31m", "d"])
    frame = frame.assign(kind=y, id=ids)
    frame.to_parquet(folder / "d.parquet")
    pd.DataFrame(X[:, :2], columns=["x", "y"]).to_csv(folder / "m.csv", index=False)
    table = ["d.parquet", "--label", "kind", "--id", "id"]
    map_files = ["-o", "p.html", "--positions", "p.csv", "--model", "m.model"]
    commands = {
        "certify": ["certify", *table[:1], "m.csv", *table[1:3]],
        "certify json": ["certify", *table[:1], "m.csv", *table[1:3], "--json"],
        "audit": ["audit", *table, "-o", "s.csv"],
        "audit json": ["audit", *table, "-o", "s.json", "--json"],
        "map": ["map", *table, "--method", "lfda", *map_files],
        "place": ["place", "m.model", "d.parquet", "--id", "id", "-o", "q.csv"],
        "wrong": ["map", "d.parquet", "--label", "\x1b]0;x\x07"],
    }
    raw, texts = [], {}
    for name, command in commands.items():
        run = "from labelscape.cli.main import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", run, *command],
            capture_output=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(Path(labelscape.__file__).parents[1])},
        )
        texts[name] = done.stdout + done.stderr
        if done.returncode not in (0, 1) and name != "wrong":
            raw.append(f"{name} failed: {done.stderr[-200:]!r}")
    for path in folder.iterdir():
        if path.suffix in (".csv", ".json"):
            texts[path.name] = path.read_bytes()
    for name, text in texts.items():
        if found := RAW.search(text.decode()):
            raw.append(f"{name} ({text.decode()[found.start() - 20 :][:50]!a})")
    kinds = {line.split(",")[1] for line in texts["p.csv"].decode().split("\r\n")[1:-1]}
    is_gone = not raw and len(kinds) == len(CLASSES)
    return is_gone, f"raw in {', '.join(raw) or 'none'}; {len(kinds)} classes kept"


@reported("S4 objects", "no control character of Python objects is printed")
def controls_of_objects(folder):
    import pandas as pd

    from labelscape import audit
    from labelscape.datasets import read_table
    from labelscape.embeddings import LFDA
    from labelscape.jobs import map_table
    from labelscape.prototypes import GMLVQ
    from labelscape.quality import certify, honesty, islands

    X, y, _ = _hostile()
    names = ["a\x07", "b", "c\x1b[31m", "d"]
    frame = pd.DataFrame(X, columns=names)
    table = read_table(frame.assign(kind=y), label="kind")
    model = GMLVQ(random_state=0).fit(X, y)
    reports = {
        "certify": certify(X, X[:, :2], y, random_state=0),
        "audit": audit(frame, y, random_state=0),
        "honesty": honesty(LFDA(), X, y, random_state=0),
        "table": table,
        "map": map_table(table, "lfda", seed=0),
        "explain": model.explain(X[0]),
        "islands": islands(LFDA(), X, y, random_state=0),
    }
    raw = [name for name, one in reports.items() if RAW.search(f"{one}{one!r}")]
    return not raw, f"raw in {', '.join(raw) or 'none'}"
