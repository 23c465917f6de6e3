"""Files of a workspace, also after a crash."""

import os
import sqlite3
import stat
import time

import pytest

from labelscape.hosts.app.catalog import Catalog
from labelscape.hosts.app.errors import UnknownError
from labelscape.hosts.app.records import Run, RunResult, Settings, StoredTable
from labelscape.hosts.app.workspace import RESERVE_BYTES, Workspace, new_id


def table_in(workspace, key="aaaaaaaaaaaa"):
    entry = StoredTable(
        id=key,
        name="trees",
        created=time.time(),
        n_rows=1,
        n_columns=0,
        file="source.csv",
    )
    workspace.catalog.add(entry)
    with workspace.incoming(key) as folder:
        (folder / "source.csv").write_text("a,b\n1,2\n")
        workspace.keep(folder, "tables")
    return entry


def run_in(workspace, table, state="queued"):
    settings = Settings(table=table.id, method="lda")
    run = Run(
        id=new_id(),
        name="r",
        created=1.0,
        table=table.id,
        table_name="trees",
        settings=settings,
        state=state,
    )
    workspace.catalog.add(run)
    return run


def test_entries_survive_closing_and_opening(tmp_path):
    workspace = Workspace(tmp_path)
    table = table_in(workspace)
    run = run_in(workspace, table)
    workspace.catalog.end_run(run.id, "finished", result=RunResult(seconds=1.5))
    workspace.close()

    again = Workspace(tmp_path)
    assert again.catalog.get(StoredTable, table.id) == table
    assert again.catalog.get(Run, run.id).result == RunResult(seconds=1.5)
    assert again.path("tables", table.id, "source.csv").read_text() == "a,b\n1,2\n"
    again.close()


def test_what_was_running_is_marked_interrupted(tmp_path):
    workspace = Workspace(tmp_path)
    table = table_in(workspace)
    running, queued = run_in(workspace, table), run_in(workspace, table)
    workspace.catalog.start_run(running.id)
    workspace.close()

    again = Workspace(tmp_path)
    states = {run.id: run.state for run in again.catalog.all(Run)}
    assert states == {running.id: "interrupted", queued.id: "interrupted"}
    again.close()


def test_half_written_and_unnamed_folders_are_removed_and_users_files_stay(tmp_path):
    workspace = Workspace(tmp_path)
    table_in(workspace)
    workspace.close()
    for place in ("incoming/bbbbbbbbbbbb", "runs/cccccccccccc", "tables/dddddddddddd"):
        (tmp_path / place).mkdir()
    (tmp_path / "runs" / "notes.txt").write_text("mine")

    Workspace(tmp_path).close()
    assert not (tmp_path / "incoming/bbbbbbbbbbbb").exists()
    assert not (tmp_path / "runs/cccccccccccc").exists()
    assert not (tmp_path / "tables/dddddddddddd").exists()
    assert (tmp_path / "tables/aaaaaaaaaaaa/source.csv").exists()
    assert (tmp_path / "runs/notes.txt").read_text() == "mine"


def test_a_workspace_opens_once(tmp_path):
    workspace = Workspace(tmp_path)
    with pytest.raises(ValueError, match="Another Labelscape app"):
        Workspace(tmp_path)
    workspace.close()
    Workspace(tmp_path).close()


@pytest.mark.parametrize("key", ["../secrets", "a" * 11, "/etc", "A" * 12, ""])
def test_no_name_leads_out_of_the_workspace(tmp_path, key):
    workspace = Workspace(tmp_path)
    with pytest.raises(UnknownError):
        workspace.path("tables", key, "source.csv")
    workspace.close()


def test_files_outside_an_entry_are_not_found(tmp_path):
    workspace = Workspace(tmp_path)
    table = table_in(workspace)
    (tmp_path / "secret").write_text("s")
    (tmp_path / "tables" / table.id / "link").symlink_to(tmp_path / "secret")
    for file in ("../../secret", str(tmp_path / "secret"), "link"):
        with pytest.raises(UnknownError):
            workspace.path("tables", table.id, file)
    workspace.close()


def test_a_workspace_of_another_version_is_refused_and_left_alone(tmp_path):
    new = sqlite3.connect(tmp_path / "catalogue.sqlite")
    new.execute("PRAGMA user_version = 99")
    new.commit()
    new.close()
    with pytest.raises(ValueError, match="another version of Labelscape"):
        Workspace(tmp_path)


def test_a_damaged_catalogue_is_told_in_words(tmp_path):
    (tmp_path / "catalogue.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(ValueError, match="cannot be read"):
        Workspace(tmp_path)


def test_a_table_that_a_run_needs_stays(tmp_path):
    workspace = Workspace(tmp_path)
    table = table_in(workspace)
    run = run_in(workspace, table)
    assert not workspace.catalog.remove(StoredTable, table.id)
    workspace.catalog.end_run(run.id, "cancelled")
    assert workspace.catalog.remove(Run, run.id)
    assert workspace.catalog.remove(StoredTable, table.id)
    workspace.close()


def test_a_run_ends_once(tmp_path):
    workspace = Workspace(tmp_path)
    run = run_in(workspace, table_in(workspace))
    assert workspace.catalog.end_run(run.id, "cancelled")
    assert not workspace.catalog.end_run(run.id, "finished")
    assert workspace.catalog.get(Run, run.id).state == "cancelled"
    workspace.close()


def test_a_workspace_that_could_not_be_tidied_can_be_opened_again(
    tmp_path, monkeypatch
):
    def broken(_):
        raise OSError("input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(Catalog, "interrupt_unfinished", broken)
        with pytest.raises(OSError, match="input/output"):
            Workspace(tmp_path)
    Workspace(tmp_path).close()


def open_to_others(folder):
    """Return what in a folder, or the folder itself, others than its owner can use."""
    return [p for p in (folder, *folder.rglob("*")) if p.stat().st_mode & 0o077]


def test_a_workspace_and_all_in_it_is_for_its_owner_only(tmp_path):
    workspace = Workspace(tmp_path / "deep" / "space")
    table_in(workspace)
    assert open_to_others(workspace.folder) == []
    workspace.close()
    assert open_to_others(workspace.folder) == []


def test_an_older_workspace_is_closed_to_others_when_it_opens(tmp_path):
    workspace = Workspace(tmp_path / "space")
    table_in(workspace)
    workspace.close()
    for path in (workspace.folder, *workspace.folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    Workspace(workspace.folder).close()
    assert open_to_others(workspace.folder) == []


def test_what_is_not_ours_stays_as_open_as_it_is(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "tool.sh").write_text("")
    (project / "tables").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    for path in (project, project / "tool.sh", tmp_path / "elsewhere"):
        path.chmod(0o755)
    workspace = Workspace(project)
    table_in(workspace)
    workspace.close()
    for path in (project, project / "tool.sh", tmp_path / "elsewhere"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o755
    assert open_to_others(project / "runs") == []
    assert open_to_others(project / "catalogue.sqlite") == []


@pytest.mark.parametrize("there", [0, 5000, RESERVE_BYTES])
def test_some_room_is_kept_back(tmp_path, there):
    (tmp_path / "reserve").write_bytes(bytes(there))
    Workspace(tmp_path).close()
    assert (tmp_path / "reserve").stat().st_size >= RESERVE_BYTES


def test_a_change_on_a_full_disk_is_made_again_with_the_reserve_given_up(tmp_path):
    workspace = Workspace(tmp_path)
    sizes = []

    def change():
        path = tmp_path / "reserve"
        sizes.append(path.exists())
        if path.exists():
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return "done"

    assert workspace.even_if_full(change) == "done"
    assert sizes == [True, False]
    assert (tmp_path / "reserve").exists()
    workspace.close()


def test_other_troubles_of_the_catalogue_leave_the_reserve_alone(tmp_path):
    workspace = Workspace(tmp_path)
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        workspace.even_if_full(lambda: workspace.catalog._rows("SELECT * FROM nowhere"))
    workspace.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_lock_that_can_not_be_written_is_not_taken_for_another_app(tmp_path):
    Workspace(tmp_path).close()
    (tmp_path / "lock.sqlite").chmod(0o400)
    with pytest.raises(ValueError, match="Check its disk and its permissions"):
        Workspace(tmp_path)


def test_the_page_that_leads_to_the_app_is_for_its_owner_and_goes(tmp_path):
    workspace = Workspace(tmp_path)
    page = workspace.door("http://127.0.0.1:1/?token=a&table=b")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert "url=http://127.0.0.1:1/?token=a&amp;table=b" in page.read_text()
    workspace.close()
    assert not page.exists()

    page.write_text("left by a killed app")
    Workspace(tmp_path).close()
    assert not page.exists()
