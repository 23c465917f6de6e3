"""Fits that several tables and figures share: made once, and kept on the disk."""

from functools import cache

from joblib import Memory

from benchmarks.papers._record import OUT

_MEMORY = Memory(OUT / "kept", verbose=0)


def kept(function):
    """Keep what a function returns, by its arguments, for this run and later ones.

    A change of the function itself makes it new; one of what it calls does not:
    :func:`forget` is for that.
    """
    return cache(_MEMORY.cache(function))


def forget():
    """Forget everything that is kept."""
    _MEMORY.clear(warn=False)
