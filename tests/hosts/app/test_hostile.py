"""Attacks by users, pages and files are refused, or shown as text."""

import gzip
import io
import json
import zipfile
from http.client import HTTPConnection

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from labelscape.hosts.page import STATIC

EVIL = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def run(client, trees):
    id = client.started(trees)
    assert client.ended(id)["state"] == "finished"
    return id


def raw(http, path, headers=None, method="GET"):
    """Send a path without normalization."""
    line = HTTPConnection(http.base_url.host, http.base_url.port)
    token = {"Authorization": http.headers["authorization"]}
    line.request(method, path, headers=token | (headers or {}))
    answer = line.getresponse()
    status, body = answer.status, answer.read()
    line.close()
    return status, body, answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app/server.py",
        "/static/%2e%2e/app/server.py",
        "/static/..%2f..%2fapp%2fserver.py",
        "/static/%2e%2e%2fapp%2fserver.py",
        "/static/..%5c..%5capp%5cserver.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/",
        "/static/app.js%00.css",
        "/api/tables/../../catalogue.sqlite",
        "/api/tables/%2e%2e",
        "/api/runs/..%2f..%2fcatalogue.sqlite",
        "/api/runs/{run}/files/../scene.lscn",
        "/api/runs/{run}/files/..%2fscene.lscn",
        "/api/runs/{run}/files/%2fetc%2fpasswd",
        "/api/runs/{run}/files/scene.lscn",
        "/api/runs/{run}%00/files/scene",
    ],
)
def test_no_path_leads_to_other_files(http, run, path):
    status, body, _ = raw(http, path.format(run=run))
    assert status in (400, 404, 422)
    assert b"root:" not in body
    assert b"import" not in body


def test_only_built_files_are_static(http):
    for path in STATIC.iterdir():
        status, body, headers = raw(http, f"/static/{path.name}")
        assert status == 200
        assert body == path.read_bytes()
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Host": "evil.example"}, 403),
        ({"Host": "evil.example:80"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_strangers_are_told_in_the_words_of_the_api(http, headers, status):
    for method in ("GET", "POST", "DELETE"):
        found, body, answered = raw(http, "/api/runs", headers, method)
        assert found == status
        assert answered["content-type"] == "application/json"
        assert json.loads(body)["detail"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../evil.csv", "evil.csv"),
        ("/etc/cron.d/evil.csv", "evil.csv"),
        ("C:\\..\\evil.csv", "evil.csv"),
        ("a\0b.csv", "a\0b.csv"),
        (EVIL + ".csv", "script>.csv"),
        ("..", None),
        ("evil.json", None),
        ("evil.pkl", None),
        ("evil.csv/", "evil.csv"),
    ],
)
def test_names_of_files_are_only_names(client, session, name, shown):
    answer = client.upload(name=name)
    if shown is None:
        assert answer.status_code == 422
        return
    assert answer.json()["name"] == shown
    folder = session.workspace.folder / "tables" / answer.json()["id"]
    assert {path.name for path in folder.iterdir()} == {"source.csv", "columns.parquet"}


def test_symlinks_in_the_workspace_lead_nowhere(client, http, session, tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("a,kind\n1,x\n2,y\n")
    table = client.added()
    run = client.started(table)
    client.ended(run)
    scene = session.workspace.folder / "runs" / run / "scene.lscn"
    scene.unlink()
    scene.symlink_to(secret)
    assert http.get(f"/api/runs/{run}/files/scene").status_code == 404

    source = session.workspace.folder / "tables" / table / "source.csv"
    source.unlink()
    source.symlink_to(secret)
    assert client.order(table).status_code == 404

    folder = source.parent.rename(tmp_path / "moved")
    source.parent.symlink_to(folder)
    assert client.order(table).status_code == 404


def test_five_gigabytes_are_refused_before_they_come(http, session):
    headers = {"Content-Length": str(5 * 10**9)}
    status, body, _ = raw(http, "/api/tables?name=a.csv", headers, "POST")
    assert status == 413
    assert "--upload-limit" in json.loads(body)["detail"]
    assert not list((session.workspace.folder / "incoming").iterdir())


def test_a_body_without_length_is_counted(http, session):
    def endless():
        for _ in range(100):
            yield b"1,2\n" * 2**16

    answer = http.post("/api/tables", params={"name": "a.csv"}, content=endless())
    assert answer.status_code == 413
    assert not list((session.workspace.folder / "incoming").iterdir())


def test_records_are_short(http, session):
    headers = {"Content-Length": str(session.limits.upload + 1)}
    assert raw(http, "/api/runs", headers, "POST")[0] == 413


def zip_bomb():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("X.npy", bytes(17 * 2**20))
    return data.getvalue()


def parquet_bomb():
    data = io.BytesIO()
    zeros = pa.DictionaryArray.from_arrays(np.zeros(2**22, np.int32), ["a"])
    pq.write_table(pa.table({"a": zeros}), data)
    return data.getvalue()


def lying_array():
    data = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        data, {"descr": "<f8", "fortran_order": False, "shape": (10**6, 10**6)}
    )
    return data.getvalue() + b"few bytes"


def pickled_array():
    data = io.BytesIO()
    np.save(data, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    return data.getvalue()


def feather_bomb():
    data = io.BytesIO()
    zeros = np.zeros(2 * 10**8, np.int8)
    feather.write_feather(pa.table({"a": zeros, "b": zeros}), data, compression="zstd")
    return data.getvalue()


BAD_FILES = {
    "bomb.csv.gz": lambda: gzip.compress(b"a,b\n" + b"1,2\n" * (5 * 2**20)),
    "hidden.csv": lambda: gzip.compress(b"a,b\n" + b"1,2\n" * (5 * 2**20)),
    "bomb.npz": zip_bomb,
    "bomb.parquet": parquet_bomb,
    "bomb.feather": feather_bomb,
    "lie.npy": lying_array,
    "pickle.npy": pickled_array,
    "wide.csv": lambda: b",".join([b"a"] * 1_000_001) + b"\n",
    "empty.csv": lambda: b"",
    "noise.csv": lambda: bytes(range(256)) * 100,
    "noise.parquet": lambda: bytes(range(256)) * 100,
    "noise.npz": lambda: b"PK" + bytes(range(256)) * 100,
    "one_line.csv": lambda: b"x" * (3 * 2**20),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_are_refused_in_a_sentence_and_leave_nothing(
    client, session, name, capfd
):
    n_tables = len(client.get("/tables"))
    answer = client.upload(BAD_FILES[name](), name)
    assert answer.status_code == 422
    words = answer.json()["detail"]
    assert words.endswith(".")
    assert "source." not in words
    assert str(session.workspace.folder) not in words
    assert len(client.get("/tables")) == n_tables
    assert not list((session.workspace.folder / "incoming").iterdir())
    assert "Traceback" not in capfd.readouterr().err


def test_the_app_reads_on_after_bad_files(client):
    assert client.upload().status_code == 201


def test_html_in_names_and_labels_stays_text(client, http):
    rows = "".join(
        f"{i * 0.5 + i % 2 * 20},{EVIL if i % 2 else '<b>x</b>'},<i>{i}</i>\n"
        for i in range(20)
    )
    name = "<img src=x onerror=alert(1)>.csv"
    table = client.added(f"{EVIL}a,kind,name\n{rows}", name)
    found = http.get(f"/api/tables/{table}")
    assert found.headers["content-type"] == "application/json"
    assert found.json()["columns"][0]["name"] == f"{EVIL}a"
    run = client.started(table, "pca", name=EVIL)
    assert client.ended(run)["state"] == "finished"
    page = http.get(f"/api/runs/{run}/files/page")
    assert page.headers["content-disposition"].startswith("attachment")
    assert "<img src=x" not in page.text
    assert EVIL not in page.text
