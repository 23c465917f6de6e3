"""Connections without a request do not keep others out."""

import asyncio
import socket

import pytest
from tests.hosts.app.serving import run_apart
from uvicorn import Config
from uvicorn.server import ServerState

from labelscape.hosts.app import connections
from labelscape.hosts.app.connections import WAITING, PromptProtocol

HALF = b"GET / HTTP/1.1\r\nHost: a\r\nX: "
WHOLE = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
# A request with a body, of which the first byte comes.
UPLOAD = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1"


async def answer(scope, receive, send):
    """Answer with the number of bytes in the body."""
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    start = {"type": "http.response.start", "status": 200}
    await send(start | {"headers": [(b"content-length", b"1")]})
    await send({"type": "http.response.body", "body": b"%d" % size})


async def served(ask):
    """Call a coroutine function with one that opens connections to a server."""
    state, writers = ServerState(), []
    config = Config(answer, http=PromptProtocol, limit_concurrency=2 * WAITING)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: PromptProtocol(config, state, {}), "127.0.0.1"
    )
    port = server.sockets[0].getsockname()[1]

    async def opened(sent=b""):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        writer.write(sent)
        return reader, writer

    async with server:
        await ask(opened)
        for writer in writers:
            writer.close()
        for writer in writers:
            await writer.wait_closed()


async def answered(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    return head.split()[1], await reader.readexactly(1)


@pytest.mark.parametrize("before", [b"", WHOLE], ids=["at first", "after an answer"])
@pytest.mark.parametrize("sent", [b"", b"G", HALF])
def test_a_connection_without_a_request_is_closed(before, sent, monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.2)

    async def ask(opened):
        reader, _ = await opened(before + sent)
        if before:
            assert await answered(reader) == (b"200", b"0")
        assert await reader.read() == b""

    run_apart(lambda: served(ask))


def test_a_slow_body_is_waited_for(monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.1)

    async def ask(opened):
        reader, writer = await opened(UPLOAD)
        await asyncio.sleep(0.5)
        writer.write(b"2")
        assert await answered(reader) == (b"200", b"2")

    run_apart(lambda: served(ask))


@pytest.mark.parametrize("sent", [b"", HALF, WHOLE + b"G"])
def test_for_a_new_connection_the_oldest_that_waits_is_closed(sent):
    async def ask(opened):
        upload, rest = await opened(UPLOAD)
        silent = [await opened(sent) for _ in range(WAITING)]
        for _ in range(20):
            reader, _ = await opened(WHOLE)
            assert await answered(reader) == (b"200", b"0")
        for reader, _ in silent[:10]:
            assert (await reader.read()).endswith(
                b"0" if sent.startswith(WHOLE) else b""
            )
        rest.write(b"2")
        assert await answered(upload) == (b"200", b"2")

    run_apart(lambda: served(ask))


def test_silent_connections_do_not_keep_the_owner_out(serving):
    server = serving()
    place = server.http.base_url.host, server.http.base_url.port
    silent = []
    for i in range(300):
        silent.append(socket.create_connection(place))
        if i % 60 == 59:
            closing = {"connection": "close"}
            assert server.http.get("/api/runs", headers=closing).status_code == 200
    for one in silent:
        one.close()
    server.stop()
    assert server.log.read_text() == ""
