"""Worker processes: news, cancelling, crashes, and memory."""

import errno
import os
import queue
import signal
import subprocess
import sys
from multiprocessing import Pipe, forkserver
from pathlib import Path

import numpy as np
import pytest

from labelscape.hosts.app.catalog import STOPPED
from labelscape.hosts.app.errors import TaskFailure
from labelscape.hosts.app.pool import Task, Workers, _context, _Process

ROOT = Path(__file__).parents[3]
HERE = "tests.hosts.app.worker_jobs"


@pytest.fixture(scope="module")
def path_to_tasks():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT)  # where the processes find their tasks
        yield


@pytest.fixture(scope="module")
def workers(path_to_tasks):
    """One process for all tests of this file; tests that end it get a new process."""
    made = Workers(1, memory=400 * 2**20)
    yield made
    made.close()


@pytest.fixture
def not_started(path_to_tasks):
    """Workers whose process has not started yet."""
    made = Workers(1)
    yield made
    made.close()


def started(workers, function, seconds=None, names=None, **arguments):
    events = queue.Queue()
    task = Task(
        f"{HERE}:{function}",
        arguments,
        on_start=lambda: events.put(("started", None)),
        on_news=lambda news: events.put(("news", news)),
        on_end=lambda *how: events.put(how),
        seconds=seconds,
        names=names or {},
    )
    workers.put(task)
    return task, events


def ended(events):
    while True:
        kind, value = events.get()
        if kind not in ("started", "news"):
            return kind, value


def test_a_task_reports_and_returns(workers):
    _, events = started(workers, "count", to=3)
    assert events.get() == ("started", None)
    assert [events.get()[1].iteration for _ in range(3)] == [0, 1, 2]
    assert events.get() == ("done", 3)


def test_the_same_process_takes_the_next_task(workers):
    first, second = (ended(started(workers, "own_id")[1]) for _ in range(2))
    assert first == second


def test_errors_become_sentences(workers):
    assert ended(started(workers, "complain", words="No such column.")[1]) == (
        "failed",
        TaskFailure("No such column."),
    )


def test_an_error_says_which_parameter_is_wrong_and_the_names_of_the_user(workers):
    names = {"/space/source.csv": "trees.csv"}
    _, events = started(workers, "refuse", names=names, path="/space/source.csv")
    why = TaskFailure("'trees.csv' has no column 'age'.", parameter="label")
    assert ended(events) == ("failed", why)


def test_the_disk_is_told_without_paths_and_our_own_sentences_as_they_are(workers):
    _, events = started(workers, "open_file", path="/nothing/here.csv")
    words = ended(events)[1].words
    assert words.startswith("The workspace cannot be used (No such file or directory)")
    words = ended(started(workers, "ask_for_the_view", name="none.js")[1])[1].words
    assert words.startswith("The view is not built: there is no none.js")


def test_cancelling_ends_the_process_before_its_task_is_done(workers):
    task, events = started(workers, "sleep", long=3600)
    assert events.get() == ("started", None)
    process = events.get()[1].iteration
    task.canceled.set()
    assert ended(events) == ("cancelled", TaskFailure(""))
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert ended(started(workers, "count", to=1)[1]) == ("done", 1)


def test_a_killed_process_is_told_and_replaced(workers):
    _, events = started(workers, "sleep", long=3600)
    events.get()
    os.kill(events.get()[1].iteration, signal.SIGKILL)
    state, why = ended(events)
    assert state == "failed"
    assert "memory ran out" in why.words
    assert ended(started(workers, "count", to=1)[1]) == ("done", 1)


def test_a_crash_is_not_called_a_lack_of_memory(workers):
    _, events = started(workers, "sleep", long=3600)
    events.get()
    os.kill(events.get()[1].iteration, signal.SIGSEGV)
    state, why = ended(events)
    assert state == "failed"
    assert "crashed (SIGSEGV)" in why.words
    assert "memory" not in why.words
    assert ended(started(workers, "count", to=1)[1]) == ("done", 1)


def test_a_fit_that_takes_too_much_memory_is_told_and_the_worker_lives(workers):
    _, events = started(workers, "allocate", size=2**30)
    state, why = ended(events)
    assert state == "failed"
    assert "needs more memory" in why.words
    assert ended(started(workers, "allocate", size=2**20)[1]) == ("done", 2**20)


def test_waiting_tasks_can_be_cancelled(workers):
    first, events = started(workers, "sleep", long=3600)
    events.get()
    second, waiting = started(workers, "count", to=1)
    second.canceled.set()
    first.canceled.set()
    assert waiting.get() == ("cancelled", TaskFailure(""))


def test_numbers_cross_as_bytes(workers):
    state, value = ended(started(workers, "positions", n=5)[1])
    assert state == "done"
    np.testing.assert_array_equal(np.frombuffer(value, np.float32), np.arange(10))


def test_a_task_that_takes_too_long_is_stopped_and_the_next_one_runs(workers):
    ended(started(workers, "count", to=1)[1])  # the process is there
    how = ended(started(workers, "sleep", seconds=0.5, long=3600)[1])
    late = TaskFailure("Stopped, because it took more than 0.5 seconds.")
    assert how == ("failed", late)
    assert ended(started(workers, "count", to=1)[1]) == ("done", 1)


def test_what_runs_and_waits_is_interrupted_when_the_app_ends(not_started):
    _, running = started(not_started, "sleep", long=3600)
    running.get()
    _, waiting = started(not_started, "count", to=1)
    not_started.stop()
    assert ended(running)[0] == ended(waiting)[0] == "interrupted"


def test_an_error_while_the_end_is_told_does_not_end_the_workers(workers, capfd):
    def broken(*_):
        raise KeyError("ours to mend")

    workers.put(Task(f"{HERE}:count", {"to": 1}, on_end=broken))
    assert ended(started(workers, "count", to=1)[1]) == ("done", 1)
    assert "ours to mend" in capfd.readouterr().err


def test_a_process_that_can_not_start_fails_its_task_only(
    not_started, monkeypatch, capfd
):
    def none_left(*_):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    with monkeypatch.context() as patch:
        patch.setattr("labelscape.hosts.app.pool._Process", none_left)
        state, why = ended(started(not_started, "count", to=1)[1])
    assert state == "failed"
    assert "start another process" in why.words
    assert ended(started(not_started, "count", to=1)[1]) == ("done", 1)
    assert "BlockingIOError" in capfd.readouterr().err  # the log says why


def test_a_process_that_can_not_start_leaves_no_pipe_open(monkeypatch):
    def none_left(_):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    made, context = [], _context()
    monkeypatch.setattr(context.Process, "start", none_left)
    monkeypatch.setattr(type(context), "Pipe", lambda _: made.extend(Pipe()) or made)
    with pytest.raises(BlockingIOError):
        _Process(None)
    assert len(made) == 2
    assert all(end.closed for end in made)


@pytest.mark.skipif(sys.platform != "linux", reason="there is no fork server")
def test_a_fork_server_that_is_killed_is_started_again(workers):
    assert ended(started(workers, "count", to=1)[1]) == ("done", 1)
    os.kill(forkserver._forkserver._forkserver_pid, signal.SIGKILL)
    # Workers end with it, and the next task is taken by a new one.
    assert ended(started(workers, "count", to=1)[1]) == ("done", 1)


def test_a_task_that_comes_when_all_is_closed_is_interrupted_at_once():
    closed = Workers(1)
    closed.close()
    how = started(closed, "count", to=1)[1].get_nowait()
    assert how == ("interrupted", TaskFailure(STOPPED))


FORGOTTEN = f"""
from queue import SimpleQueue
from labelscape.hosts.app.pool import Task, Workers
ended = SimpleQueue()
if __name__ == "__main__":
    task = Task("{HERE}:count", {{"to": 1}}, on_end=lambda *how: ended.put(how))
    Workers(1).put(task)
    print(*ended.get())
"""


def test_workers_that_nobody_closes_do_not_hold_up_the_end_of_python():
    forgotten = subprocess.run(
        [sys.executable, "-c", FORGOTTEN],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (forgotten.stdout, forgotten.stderr) == ("done 1\n", "")


def test_processes_start_when_they_are_wanted(monkeypatch):
    made = []
    monkeypatch.setattr(
        "labelscape.hosts.app.pool._Process", lambda memory: made.append(memory)
    )
    idle = Workers(1, memory=5)
    idle.close()
    assert made == []
