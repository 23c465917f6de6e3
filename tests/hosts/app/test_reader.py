"""Short tasks that a request waits for: limits on their number and time."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from labelscape.hosts.app.errors import BusyError, RefusedError
from labelscape.hosts.app.pool import Reader
from labelscape.hosts.app.records import Source
from labelscape.hosts.app.uploads import Limits


def described(reader, path):
    return reader.ask("describe", source=Source(path, "a.csv"), limits=Limits())


@pytest.fixture
def endless(tmp_path):
    """A file that is opened and never read: nobody writes into the pipe that it is."""
    path = tmp_path / "endless.csv"
    os.mkfifo(path)
    return path


def test_too_many_that_wait_are_refused(endless):
    reader = Reader(Limits(reading_queue=1))
    with ThreadPoolExecutor() as pool:
        first = pool.submit(described, reader, endless)
        with endless.open("wb"):  # opens when the other end is open
            with pytest.raises(BusyError, match="Try again in a minute"):
                described(reader, endless)
            reader.close()
        with pytest.raises(BusyError, match="being stopped"):
            first.result()


def test_what_takes_too_long_is_given_up(endless):
    reader = Reader(Limits(reading_seconds=0.1))
    with pytest.raises(RefusedError, match=r"took more than 0\.1 seconds"):
        described(reader, endless)
    reader.close()


def test_who_comes_when_the_app_has_ended_is_told(endless):
    reader = Reader(Limits())
    reader.close()
    with pytest.raises(BusyError, match="being stopped"):
        described(reader, endless)


def test_something_can_wait_until_it_is_ready():
    reader, ready = Reader(Limits()), threading.Event()
    reader.when_ready(ready.set)
    assert not ready.is_set()  # a process takes its time
    assert ready.wait(60)
    reader.close()
