"""Who may stay on the line: so many connections, and none silent for long.

A stranger without the token is answered with one sentence, but may open a connection
and say nothing. Such connections end after some seconds, and the stranger who is silent
longest makes way when there are too many: so they take neither all files of the process
nor the place of a page that asks.
"""

import asyncio
import logging
import time
from contextlib import suppress

from uvicorn.protocols.http.h11_impl import H11Protocol

from labelscape.hosts.app.security import TRUSTED

# More than the browser of a person opens, and those of a few colleagues.
MOST = 256
# How long the same line stays out of the log once it was said.
QUIET_SECONDS = 60.0


class PatientProtocol(H11Protocol):
    """HTTP that waits only so long for a request, and ends who is silent longest.

    Only requests that carry the token keep a connection busy: others are refused before
    their body is read.
    """

    most = MOST
    # For a whole header: a browser sends it at once.
    seconds = 10.0
    _silent_since = 0.0
    _patience: asyncio.TimerHandle | None = None

    def connection_made(  # type: ignore[override]
        self, transport: asyncio.Transport
    ) -> None:
        """Take a connection, and end another if there are too many."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > self.most:
            all_of_them = (c for c in self.connections if isinstance(c, type(self)))
            silent = filter(PatientProtocol._is_silent, all_of_them)
            min(silent, key=PatientProtocol._standing)._end()  # perhaps this one

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        self._stop_waiting()
        self._silent_since = self.loop.time()
        self._patience = self.loop.call_later(self.seconds, self._lose_patience)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()

    def _lose_patience(self) -> None:
        if self._is_silent():
            self._end()

    def _standing(self) -> tuple[bool, float]:
        """Return who is to stay rather: those with a token, then the latest to speak.

        A client whose connection ends as it asks again would have to try twice.
        """
        is_known = self.scope is not None and TRUSTED in self.scope
        return is_known, self._silent_since

    def _is_silent(self) -> bool:
        """Whether no request of it is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _end(self) -> None:
        self.connections.discard(self)  # now: more may come before it is closed
        self.transport.abort()


class SaidOnce(logging.Filter):
    """Lets a line into the log once, and again only after a while."""

    def __init__(self, seconds: float = QUIET_SECONDS) -> None:
        super().__init__()
        self._seconds = seconds
        self._said: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is news."""
        cause = record.exc_info[1] if record.exc_info else None
        line, now = (str(record.msg), repr(cause)), time.monotonic()
        is_news = now - self._said.get(line, -self._seconds) >= self._seconds
        if is_news:
            fresh = {k: t for k, t in self._said.items() if now - t < self._seconds}
            self._said = fresh | {line: now}
        return is_news


def quieten_logs() -> None:
    """Keep what strangers make the server say from filling a disk."""
    for name in ("uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        if not any(isinstance(one, SaidOnce) for one in logger.filters):
            logger.addFilter(SaidOnce())


def most_connections() -> int:
    """Return how many connections the open files of this process allow.

    A quarter: as many again may have been accepted and not yet counted, twice, and
    workers and the workspace need some.
    """
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 4 * MOST
        if soft != resource.RLIM_INFINITY and soft < wanted:
            soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return MOST if soft == resource.RLIM_INFINITY else min(MOST, soft // 4)
    return MOST
