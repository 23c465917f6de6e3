"""Processes that are canceled, killed, out of memory, or out of disk space."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.hosts.app.serving import COMMAND, started_in, table, until

from labelscape.scene import decode

# All that the app promises takes minutes: LABELSCAPE_LONG=1 runs it.
LONG = os.environ.get("LABELSCAPE_LONG") == "1"
ROUNDS, FITS = (10, 20) if LONG else (2, 6)
FILES = ("scene.lscn", "page.html", "positions.csv", "repeat.py")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The app with one worker, for faults after which it continues."""
    with started_in(tmp_path_factory.mktemp("app") / "space") as start:
        yield start()


def workers_of(server):
    """Return the ids of its worker processes: the children of its fork server."""

    def is_fork_server(id):
        return b"multiprocessing.forkserver" in Path(f"/proc/{id}/cmdline").read_bytes()

    def parent(id):
        return int(Path(f"/proc/{id}/stat").read_text().rpartition(")")[2].split()[1])

    return {id for id in server.family() if is_fork_server(parent(id))}


def test_cancelling_ends_the_process_and_frees_its_memory(server):
    client = server.client
    trees = client.added()
    id = client.slow(trees)
    client.until(id, lambda _: server.http.get(f"/api/runs/{id}/forming").content)
    before = workers_of(server)
    server.http.post(f"/api/runs/{id}/cancel")
    gone = until(lambda: before - set(server.family()))
    assert len(gone) == 1
    assert client.ended(id)["state"] == "cancelled"
    assert client.ended(client.started(trees))["state"] == "finished"


def test_a_fit_that_takes_too_much_memory_is_told_and_the_app_goes_on(serving):
    server = serving("--memory", "0.4")
    client = server.client
    # All distances at once are 0.5 GB, whatever the versions of libraries need else.
    run = client.ended(client.started(client.added(table(8000)), "classnerv"))
    assert run["state"] == "failed"
    assert "memory" in run["words"]
    assert client.ended(client.started(client.added()))["state"] == "finished"


def test_a_killed_worker_is_told_and_the_app_goes_on(server):
    client = server.client
    trees = client.added()
    id = client.slow(trees)
    for process in workers_of(server):
        os.kill(process, signal.SIGKILL)
    run = client.ended(id)
    assert run["state"] == "failed"
    assert "ended by the operating system" in run["words"]
    assert client.ended(client.started(trees))["state"] == "finished"
    assert client.upload().status_code == 201  # the reader was killed too


def test_an_upload_that_breaks_off_leaves_nothing(serving):
    server = serving()
    space = server.log.with_suffix("")

    def breaking():
        yield b"a,b\n" * 1000
        raise ConnectionAbortedError

    with pytest.raises(ConnectionAbortedError):
        server.http.post("/api/tables", params={"name": "a.csv"}, content=breaking())
    until(lambda: not list((space / "incoming").iterdir()))
    assert server.client.get("/tables") == []
    server.stop()
    assert server.log.read_text() == ""


def check_workspace(server, space):
    """Check that catalog and files agree, and that finished runs open."""
    runs = server.client.get("/runs")
    finished = {run["id"] for run in runs if run["state"] == "finished"}
    assert {path.name for path in (space / "runs").iterdir()} == finished
    assert list((space / "incoming").iterdir()) == []
    for id in finished:
        folder = space / "runs" / id
        assert set(FILES) <= {path.name for path in folder.iterdir()}
        answer = server.http.get(f"/api/runs/{id}/files/scene")
        assert len(decode(answer.content).maps[0].positions) == 60
        assert (folder / "page.html").read_bytes().rstrip().endswith(b"</html>")
        assert len((folder / "positions.csv").read_text().splitlines()) == 61
    with TemporaryDirectory() as copy:
        for path in space.glob("catalogue.sqlite*"):
            shutil.copy(path, copy)
        with closing(sqlite3.connect(Path(copy, "catalogue.sqlite"))) as catalog:
            assert catalog.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return {run["id"]: run["state"] for run in runs}


def states_if_done(client, ids, enough):
    """Return the state of each run, once enough of these have finished."""
    states = {run["id"]: run["state"] for run in client.get("/runs")}
    done = sum(states[id] == "finished" for id in ids)
    return states if done >= enough else None


@pytest.mark.timeout(1200)
def test_a_killed_server_loses_no_finished_run_and_shows_no_half_one(serving):
    chance = random.Random(1)
    seen = {}  # the last that a client has been told of each run
    for _ in range(ROUNDS):
        server = serving("--workers", "2")
        client = server.client
        space = server.log.with_suffix("")
        states = check_workspace(server, space)
        assert set(states.values()) <= {"finished", "interrupted"}
        assert set(states) == set(seen)
        assert all(states[id] == "finished" for id in seen if seen[id] == "finished")

        trees = client.added()
        methods = ["lda", "pca", "sammon", "kmeans"]
        new = [
            client.started(trees, methods[i % 4], honesty=i % 5 == 4)
            for i in range(FITS)
        ]
        endless = client.started(trees, "nexom", parameters={"max_iter": 10**8})
        enough = partial(states_if_done, client, new, chance.randrange(FITS))
        seen = until(enough, seconds=300)
        time.sleep(chance.uniform(0.0, 0.5))
        server.kill()
        assert server.left() == []

    again = serving()
    states = check_workspace(again, space)
    assert set(states) == set(seen)
    assert set(states.values()) <= {"finished", "interrupted"}
    assert states[endless] == "interrupted"
    assert all(states[id] == "finished" for id in seen if seen[id] == "finished")


@contextmanager
def small_disk(folder, size):
    """Give the words before a command that make a folder a disk of so many bytes."""
    if shutil.which("unshare") is None or shutil.which("nsenter") is None:
        pytest.skip("a small disk is made with unshare and nsenter")
    folder.mkdir()
    mount = f'mount -t tmpfs -o size={size} none "$0" && echo made && exec sleep 900'
    holder = subprocess.Popen(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        if holder.stdout.readline() != "made\n":
            pytest.skip("this system lets nobody but root mount a small disk")
        inside = ["nsenter", "--target", str(holder.pid), "--user", "--mount"]
        yield [*inside, "--preserve-credentials"], Path(f"/proc/{holder.pid}/root")
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()


def test_a_full_disk_is_told_in_words_and_spoils_nothing(serving, tmp_path):
    folder = tmp_path / "space"
    with small_disk(folder, 5 * 2**19) as (inside, root):
        space = root / folder.relative_to("/")
        server = serving(before=inside)
        client = server.client
        trees = client.added()

        # Fits until one does not find room for its files.
        states = []
        while "failed" not in states:
            assert len(states) < 40
            states.append(client.ended(client.started(trees, "pca"))["state"])
        (failed,) = (r for r in client.get("/runs") if r["state"] == "failed")
        assert "The disk is full" in failed["words"]
        assert set(states[:-1]) == {"finished"}
        check_workspace(server, space)

        # A file that does not fit.
        answer = client.upload(b"a,b\n" + b"1,2\n" * 2**20)
        assert answer.status_code == 507
        assert answer.json()["detail"].startswith("The disk is full.")
        assert list((space / "incoming").iterdir()) == []

        # No byte is left: nothing can be entered, all can be looked at.
        (space / "ballast").write_bytes(b"")
        with suppress_full(), (space / "ballast").open("wb", buffering=0) as ballast:
            while True:
                ballast.write(bytes(1024))
        refused = client.order(trees)
        assert refused.status_code == 507
        assert refused.json()["detail"].startswith("The disk is full.")
        check_workspace(server, space)

        # What is deleted makes room, whether it ever had files or not.
        done = [r["id"] for r in client.get("/runs") if r["state"] == "finished"]
        for id in (failed["id"], *done[:2]):
            assert server.http.delete(f"/api/runs/{id}").status_code == 204
        check_workspace(server, space)

        # With room again, all goes on; and the next start finds the same.
        (space / "ballast").unlink()
        assert client.ended(client.started(trees, "pca"))["state"] == "finished"
        before = check_workspace(server, space)
        server.kill()
        assert server.left() == []
        again = serving(before=inside)
        assert check_workspace(again, space) == before
        assert "Traceback" not in server.log.read_text()
        again.stop()


@contextmanager
def suppress_full():
    with pytest.raises(OSError, match="No space left"):
        yield


def test_an_app_that_finds_its_disk_full_says_so(serving, tmp_path):
    folder = tmp_path / "space"
    with small_disk(folder, 2**20) as (inside, root):
        space = root / folder.relative_to("/")
        serving(before=inside).stop()
        with suppress_full(), (space / "ballast").open("wb", buffering=0) as ballast:
            while True:
                ballast.write(bytes(1024))
        command = [*inside, sys.executable, "-c", COMMAND, "serve", "--no-open"]
        again = subprocess.run(
            [*command, "--workspace", folder], capture_output=True, text=True
        )
        assert again.returncode == 2
        assert again.stderr.endswith("Delete some files, then try again.\n")
        assert "Another" not in again.stderr
