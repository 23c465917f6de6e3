"""Small tasks for the tests of the workers; they run in processes of their own."""

import os
import time

import numpy as np


def count(to, news):
    for i in range(to):
        news({"iteration": i})
    return to


def own_id(news):
    return os.getpid()


def complain(words, news):
    raise ValueError(words)


def sleep(long, news):
    news({"process": os.getpid()})
    time.sleep(long)


def allocate(size, news):
    return len(np.ones(size, np.uint8))


def positions(n, news):
    return np.arange(2 * n, dtype=np.float32).tobytes()
