import os
import signal
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, current_thread, main_thread

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from labelscape._core import threads
from labelscape._core.threads import (
    map_blocks,
    n_threads,
    one_blas_thread,
    row_blocks,
    uninterrupted,
)


def test_blocks_cover_all_rows_once_and_in_order():
    blocks = row_blocks(10, row_bytes=3, budget=9)
    assert [list(range(10))[block] for block in blocks] == [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [9],
    ]


def test_a_row_that_is_too_large_gets_a_block_of_its_own():
    assert len(row_blocks(3, row_bytes=100, budget=10)) == 3


def test_no_rows_make_no_blocks():
    assert row_blocks(0, 8) == []
    assert map_blocks(lambda rows: rows, []) == []


def test_results_come_back_in_the_order_of_the_blocks():
    blocks = row_blocks(100, 1, 3)
    assert map_blocks(lambda rows: rows.start, blocks) == [b.start for b in blocks]


def test_blocks_may_be_cut_into_blocks(monkeypatch):
    monkeypatch.setattr(threads, "n_threads", lambda: 2)
    rows = threads.row_blocks(12, 1, budget=3)

    def outer(block):
        inner = threads.row_blocks(block.stop - block.start, 1, budget=1)
        return threads.map_blocks(lambda one: block.start + one.start, inner)

    found = threads.map_blocks(outer, rows)
    assert found == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]


def test_an_error_in_a_block_reaches_the_caller():
    def fail(rows):
        raise ValueError("block 3")

    with pytest.raises(ValueError, match="block 3"):
        map_blocks(fail, row_blocks(10, 1, 5))


def test_the_number_of_threads_does_not_change_a_single_bit(monkeypatch):
    X = np.random.default_rng(0).standard_normal((500, 40))

    def product(rows):
        return X[rows] @ X.T

    found = []
    for count in (1, 2, 5):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        found.append(np.concatenate(map_blocks(product, row_blocks(500, 1, 64))))
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


@pytest.mark.parametrize(("limit", "wanted"), [("1", 1), ("", None), ("many", None)])
def test_openmp_limits_the_threads(monkeypatch, limit, wanted):
    monkeypatch.setenv("OMP_NUM_THREADS", limit)
    assert n_threads() == (wanted or threads._usable_cores())


def test_blas_runs_on_one_thread_inside_and_as_before_outside():
    before = [pool["num_threads"] for pool in threadpool_info()]
    with one_blas_thread():
        inside = [
            p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"
        ]
    assert set(inside) == {1}
    assert [pool["num_threads"] for pool in threadpool_info()] == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_gets_threads_of_its_own(monkeypatch):
    monkeypatch.setattr(threads, "n_threads", lambda: 2)
    blocks = row_blocks(10, 1, 1)
    map_blocks(lambda rows: rows.start, blocks)  # the parent's pool exists now
    keys = threads._offers.cache_info().currsize
    monkeypatch.setattr(os, "getpid", lambda: -1)  # as a child would answer
    assert map_blocks(lambda rows: rows.start, blocks) == list(range(10))
    assert threads._offers.cache_info().currsize == keys + 1


def test_nested_blocks_use_idle_threads_and_the_first_error_is_raised(monkeypatch):
    monkeypatch.setattr(threads, "n_threads", lambda: 4)
    together = Barrier(4)  # passes only if four threads are inside at once

    def inner(block):
        together.wait(timeout=30)
        return block

    def outer(blocks):
        return map_blocks(inner, blocks)

    assert map_blocks(outer, [[0, 1], [2, 3]]) == [[0, 1], [2, 3]]

    def fail(block):
        raise ValueError(f"block {block}")

    for _ in range(50):
        with pytest.raises(ValueError, match="block 0"):
            map_blocks(fail, range(8))


def blas():
    return {p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"}


def test_another_thread_may_end_the_limit_of_blas():
    inside, left = Event(), Event()

    def first():
        with one_blas_thread():
            inside.set()
            assert left.wait(60)

    with threadpool_limits(2, user_api="blas"), ThreadPoolExecutor(2) as pool:
        work = pool.submit(first)
        assert inside.wait(60)
        with one_blas_thread():  # begins later, and ends last
            left.set()
            work.result(60)
            assert blas() == {1}
        assert blas() == {2}  # the first thread is still alive


@pytest.fixture
def interruptible():
    """Let Ctrl+C interrupt, which a background shell switches off for its commands."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_after_ctrl_c_the_caller_does_not_wait_and_helpers_stop(monkeypatch):
    monkeypatch.setattr(threads, "n_threads", lambda: 2)
    begun, go_on, ended = Event(), Event(), Event()
    computed, waited = [], []

    def inner(i):
        begun.set()
        waited.append(go_on.wait(5))
        computed.append(i)

    def outer(_):
        if current_thread() is main_thread():
            assert begun.wait(60)
            signal.raise_signal(signal.SIGINT)
        try:
            map_blocks(inner, [0])
            map_blocks(inner, [1])
        finally:
            ended.set()

    with pytest.raises(KeyboardInterrupt):
        map_blocks(outer, range(2))
    go_on.set()
    assert ended.wait(60)
    assert waited == [True]
    assert computed == [0]
    assert map_blocks(abs, range(9)) == list(range(9))


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_waits_for_an_import():
    done = []

    def load():
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("imported")

    with pytest.raises(KeyboardInterrupt):
        load()
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_import_as_ever():
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(uninterrupted()(int)).result() == 0
