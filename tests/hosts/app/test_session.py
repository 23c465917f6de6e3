"""The session of the app without a server, also with a full disk."""

import errno
import os
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.hosts.app.serving import table, until

from labelscape.datasets import Reading
from labelscape.hosts.app.catalog import STOPPED
from labelscape.hosts.app.errors import BusyError, RefusedError, UnknownError
from labelscape.hosts.app.forms import title_of
from labelscape.hosts.app.records import Order, Run, StoredTable
from labelscape.hosts.app.session import Session
from labelscape.hosts.app.uploads import Limits

ORDER = {
    "method": "lda",
    "reading": Reading(label="kind", id="name"),
    "honesty": False,
    "audit": False,
}


@pytest.fixture(scope="module")
def trees(session):
    with session.receiving("trees.csv") as path:
        path.write_text(table())
        return session.add_table(path, "trees.csv").id


def started(session, trees, **more):
    return session.start(Order(**ORDER | {"table": trees} | more)).id


def slow(session, trees):
    id = started(session, trees, method="nexom", parameters={"max_iter": 10**8})
    until(lambda: session.get(Run, id).state == "running")
    return id


def ended(session, id):
    until(lambda: session.live(id) is None)
    return session.get(Run, id)


def folders(session):
    """Return what lies in the folders of the workspace."""
    return {
        kind: {path.name for path in (session.workspace.folder / kind).iterdir()}
        for kind in ("tables", "models", "runs", "incoming")
    }


def test_a_run_is_named_after_table_and_method(session, trees):
    run = ended(session, started(session, trees))
    assert (run.name, run.state) == ("trees: Linear discriminant", "finished")
    assert run.created <= run.started <= run.ended
    again = ended(session, started(session, trees))
    assert again.name == "trees: Linear discriminant 2"


def test_a_run_of_the_best_method_is_named_after_the_one_that_was_taken(session, trees):
    run = ended(session, started(session, trees, method="auto"))
    assert run.state == "finished"
    assert run.name == f"trees: {title_of(run.result.method)}"


def test_a_run_whose_folder_has_vanished_can_be_deleted(session, trees):
    run = ended(session, started(session, trees))
    shutil.rmtree(session.workspace.folder / "runs" / run.id)
    session.remove_run(run.id)
    assert run.id not in {other.id for other in session.all(Run)}


def test_a_full_disk_while_a_result_is_kept_fails_that_run_only(
    session, trees, monkeypatch
):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    before = folders(session)
    with monkeypatch.context() as patch:
        patch.setattr(session.workspace, "keep", full)
        run = ended(session, started(session, trees))
    assert run.state == "failed"
    assert run.words.endswith("The disk is full. Delete some files, then try again.")
    assert folders(session) == before
    assert ended(session, started(session, trees)).state == "finished"


def test_a_catalogue_that_takes_no_more_is_told_while_the_app_lives(
    session, trees, monkeypatch
):
    def full(*_, **__):
        error = sqlite3.OperationalError("as SQLite says it")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    before = folders(session)
    with monkeypatch.context() as patch:
        patch.setattr(session.catalog, "end_run", full)
        id = started(session, trees)
        until(lambda: session.live(id) is None)
    assert session.get(Run, id).state == "failed"
    assert "The disk is full" in session.get(Run, id).words
    assert (
        session.catalog.get(Run, id).state == "running"
    )  # interrupted at the next start
    assert folders(session) == before

    with monkeypatch.context() as patch:
        patch.setattr(session.catalog, "end_run", full)
        with pytest.raises(sqlite3.OperationalError):
            session.remove_run(id)
    session.remove_run(id)  # with room again
    with pytest.raises(UnknownError):
        session.get(Run, id)


def test_a_table_that_the_catalogue_does_not_take_leaves_no_file(session, monkeypatch):
    def full(*_):
        error = sqlite3.OperationalError("as SQLite says it")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    before = folders(session)
    monkeypatch.setattr(session.catalog, "add", full)
    with session.receiving("a.csv") as path:
        path.write_text(table())
        with pytest.raises(sqlite3.OperationalError):
            session.add_table(path, "a.csv")
    assert folders(session) == before


def test_a_run_cancelled_at_the_last_moment_leaves_no_files(
    session, trees, monkeypatch
):
    before = folders(session)
    keep = session.workspace.keep

    def late(folder, kind):
        keep(folder, kind)
        session.catalog.end_run(folder.name, "cancelled")

    monkeypatch.setattr(session.workspace, "keep", late)
    assert ended(session, started(session, trees)).state == "cancelled"
    assert folders(session) == before


def test_cancelling_what_has_ended_changes_nothing(session, trees):
    id = ended(session, started(session, trees)).id
    assert session.cancel(id).state == "finished"


def test_questions_are_answered_while_a_file_is_read(session, trees):
    id = ended(session, started(session, trees)).id

    def upload(path):
        return session.add_table(path, "slow.csv")

    with session.receiving("slow.csv") as path, ThreadPoolExecutor() as pool:
        os.mkfifo(path)
        reading = pool.submit(upload, path)
        with path.open("wb"):  # opens when the reader has opened it
            assert session.explain(id, 0).contributions
            assert not reading.done()
            path.unlink()
            path.write_text(table())
        assert reading.result().name == "slow.csv"


def test_a_file_that_takes_too_long_is_given_up(tmp_path):
    session = Session(tmp_path, workers=1, limits=Limits(reading_seconds=0.1))
    with session.receiving("a.csv") as path:
        os.mkfifo(path)
        with pytest.raises(RefusedError, match=r"took more than 0\.1 seconds"):
            session.add_table(path, "a.csv")
    assert session.all(StoredTable) == []
    session.close()


def test_what_runs_and_waits_when_the_app_ends_is_interrupted(tmp_path, trees, session):
    source = session.workspace.path("tables", trees, "source.csv").read_text()
    ending = Session(tmp_path, workers=1)
    with ending.receiving("a.csv") as path:
        path.write_text(source)
        here = ending.add_table(path, "a.csv").id
    ids = [slow(ending, here), started(ending, here)]
    ending.stop()
    for id in ids:
        run = ended(ending, id)
        assert (run.state, run.words) == ("interrupted", STOPPED)
    with ending.receiving("b.csv") as path:
        path.write_text(source)
        with pytest.raises(BusyError, match="stopped"):
            ending.add_table(path, "b.csv")
    ending.close()


def test_a_run_of_a_table_whose_file_is_gone_is_not_entered(session):
    with session.receiving("gone.csv") as path:
        path.write_text(table())
        id = session.add_table(path, "gone.csv").id
    session.workspace.path("tables", id, "source.csv").unlink()
    n_runs = len(session.all(Run))
    with pytest.raises(UnknownError):
        started(session, id)
    assert len(session.all(Run)) == n_runs
    session.remove(StoredTable, id)


def test_who_reads_files_is_ready_before_fits_are_started(tmp_path, monkeypatch):
    session = Session(tmp_path, workers=1)
    started = []
    monkeypatch.setattr(session._fits, "warm_up", lambda: started.append("fits"))
    monkeypatch.setattr(
        session._files, "when_ready", lambda then: (started.append("files"), then())
    )
    session.warm_up()
    assert started == ["files", "fits"]
    session.close()
