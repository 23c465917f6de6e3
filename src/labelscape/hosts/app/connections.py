"""Connections that wait for a request: they are limited in time and in number."""

from asyncio import TimerHandle, Transport
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

# Seconds in which the next request must begin and its header must be complete.
PATIENCE = 10.0
# Maximum number of waiting connections, which is half of all (`server.CONNECTIONS`).
# For a further one, the oldest is closed: it has had the most time.
WAITING = 100


class PromptProtocol(H11Protocol):
    """Protocol of uvicorn that closes connections without a request.

    uvicorn itself waits for the first request for ever, and so it does after any byte.
    A request whose header is complete has all the time that it needs for its body.
    """

    _waiting: ClassVar[dict["PromptProtocol", TimerHandle]] = {}

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def handle_events(self) -> None:
        """Read requests, and stop waiting if one has begun."""
        super().handle_events()
        if self._is_answering():
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        if not self._is_answering():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._stop_waiting()
        self._waiting[self] = self.loop.call_later(PATIENCE, self.transport.close)
        if len(self._waiting) > WAITING:
            oldest = next(iter(self._waiting))
            oldest._stop_waiting()
            oldest.transport.close()

    def _stop_waiting(self) -> None:
        timer = self._waiting.pop(self, None)
        if timer is not None:
            timer.cancel()
