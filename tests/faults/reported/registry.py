"""Faults that were reported from outside, each with a way to see whether it is gone."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Reported:
    """One reported fault: its name in the report, what must be true, how to look."""

    name: str
    must: str
    look: Callable[..., tuple[bool, str]]
    is_slow: bool


REPORTED: dict[str, Reported] = {}


def reported(name, must, is_slow=False):
    """Register a function of a folder: whether the fault is gone, and what was seen.

    A look uses public names only, so that it runs on earlier versions, too.
    """

    def decorate(look):
        assert name not in REPORTED, name
        REPORTED[name] = Reported(name, must, look, is_slow)
        return look

    return decorate
