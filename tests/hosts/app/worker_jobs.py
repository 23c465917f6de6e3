"""Small tasks for the tests of the workers; they run in processes of their own."""

import os
import time
from pathlib import Path

import numpy as np

from labelscape._core.errors import FileName, InputError
from labelscape.hosts.app.records import News
from labelscape.hosts.page import built


def count(to, news):
    for i in range(to):
        news(News(iteration=i))
    return to


def own_id(news):
    return os.getpid()


def complain(words, news):
    raise ValueError(words)


def refuse(path, news):
    file = FileName(Path(path))
    raise InputError(file, " has no column 'age'.", parameter="label")


def open_file(path, news):
    Path(path).read_text()


def ask_for_the_view(name, news):
    built(name)


def sleep(long, news):
    news(News(iteration=os.getpid()))  # to be killed by
    time.sleep(long)


def allocate(size, news):
    return len(np.ones(size, np.uint8))


def positions(n, news):
    return np.arange(2 * n, dtype=np.float32).tobytes()
