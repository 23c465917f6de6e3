"""Worker processes: news, cancelling, crashes, and memory."""

import os
import queue
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from labelscape.hosts.app.workers import Task, Workers

ROOT = Path(__file__).parents[3]
HERE = "tests.hosts.app.worker_jobs"


@pytest.fixture
def workers(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)  # where the processes find their tasks
    made = Workers(1, memory=400 * 2**20)
    yield made
    made.close()


def started(workers, function, seconds=None, **arguments):
    events = queue.Queue()
    task = Task(
        f"{HERE}:{function}",
        arguments,
        on_start=lambda: events.put(("started", None)),
        on_news=lambda news: events.put(("news", news)),
        on_end=lambda *how: events.put(how),
        seconds=seconds,
    )
    workers.put(task)
    return task, events


def ended(events):
    while True:
        kind, value = events.get(timeout=60)
        if kind not in ("started", "news"):
            return kind, value


def test_a_task_reports_and_returns(workers):
    _, events = started(workers, "count", to=3)
    assert events.get(timeout=60) == ("started", None)
    assert [events.get(timeout=60)[1]["iteration"] for _ in range(3)] == [0, 1, 2]
    assert events.get(timeout=60) == ("done", 3)


def test_the_same_process_takes_the_next_task(workers):
    first, second = (ended(started(workers, "own_id")[1]) for _ in range(2))
    assert first == second


def test_errors_become_sentences(workers):
    assert ended(started(workers, "complain", words="No such column.")[1]) == (
        "failed",
        "No such column.",
    )


def test_cancelling_ends_the_process_within_two_seconds(workers):
    task, events = started(workers, "sleep", long=60)
    assert events.get(timeout=60) == ("started", None)
    process = events.get(timeout=60)[1]["process"]
    before = time.perf_counter()
    task.cancelled.set()
    assert ended(events) == ("cancelled", "")
    assert time.perf_counter() - before < 2.0
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert ended(started(workers, "count", to=1)[1]) == ("done", 1)


def test_a_killed_process_is_told_and_replaced(workers):
    _, events = started(workers, "sleep", long=60)
    events.get(timeout=60)
    os.kill(events.get(timeout=60)[1]["process"], signal.SIGKILL)
    state, words = ended(events)
    assert state == "failed"
    assert "memory ran out" in words
    assert ended(started(workers, "count", to=1)[1]) == ("done", 1)


def test_a_fit_that_takes_too_much_memory_is_told_and_the_worker_lives(workers):
    _, events = started(workers, "allocate", size=2**30)
    state, words = ended(events)
    assert state == "failed"
    assert "needs more memory" in words
    assert ended(started(workers, "allocate", size=2**20)[1]) == ("done", 2**20)


def test_waiting_tasks_can_be_cancelled(workers):
    first, events = started(workers, "sleep", long=60)
    events.get(timeout=60)
    second, waiting = started(workers, "count", to=1)
    second.cancelled.set()
    first.cancelled.set()
    assert waiting.get(timeout=60) == ("cancelled", "")


def test_numbers_cross_as_bytes(workers):
    state, value = ended(started(workers, "positions", n=5)[1])
    assert state == "done"
    np.testing.assert_array_equal(np.frombuffer(value, np.float32), np.arange(10))


def test_a_task_that_takes_too_long_is_stopped_and_the_next_one_runs(workers):
    ended(started(workers, "count", to=1)[1])  # the process is there
    state, words = ended(started(workers, "sleep", seconds=0.5, long=60)[1])
    assert (state, words) == (
        "failed",
        "It took more than 0.5 seconds, and was stopped.",
    )
    assert ended(started(workers, "count", to=1)[1]) == ("done", 1)


def test_what_runs_and_waits_is_interrupted_when_the_app_ends(workers):
    _, running = started(workers, "sleep", long=60)
    running.get(timeout=60)
    _, waiting = started(workers, "count", to=1)
    workers.stop()
    assert ended(running)[0] == ended(waiting)[0] == "interrupted"


def test_an_error_while_the_end_is_told_does_not_end_the_workers(workers, capfd):
    def broken(*_):
        raise KeyError("ours to mend")

    workers.put(Task(f"{HERE}:count", {"to": 1}, on_end=broken))
    assert ended(started(workers, "count", to=1)[1]) == ("done", 1)
    assert "ours to mend" in capfd.readouterr().err


def test_processes_start_when_they_are_wanted(monkeypatch):
    made = []
    monkeypatch.setattr(
        "labelscape.hosts.app.workers._Process", lambda memory: made.append(memory)
    )
    idle = Workers(1, memory=5)
    idle.close()
    assert made == []
