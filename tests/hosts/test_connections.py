"""Strangers who hang on the line: they go, and the page is answered."""

import logging
import resource
import socket
import threading
from contextlib import ExitStack, contextmanager

import httpx
import pytest
import uvicorn
from tests.hosts.app.serving import started_in

from labelscape.hosts._connections import (
    MOST,
    PatientProtocol,
    SaidOnce,
    most_connections,
)
from labelscape.hosts.app.security import TRUSTED

HALF_A_HEADER = b"GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1"
HALF_A_BODY = (
    b"POST /api/tables?name=a.csv HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Length: 1000\r\n\r\na,b"
)
KNOWN = b"GET /known HTTP/1.1\r\nHost: a\r\n\r\n"
NONSENSE = b"\x16\x03\x01\r\n\r\n"


async def hello(scope, receive, send):
    """Answer without reading the body, as the guard answers strangers."""
    if scope["path"] == "/known":
        scope[TRUSTED] = True
    headers = [(b"content-length", b"5")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"hello"})


@contextmanager
def answering(**limits):
    """Give the port of a server in this process whose protocol has these limits."""
    listener = socket.create_server(("127.0.0.1", 0))
    protocol = type("Protocol", (PatientProtocol,), limits)
    settings = {"http": protocol, "lifespan": "off", "timeout_keep_alive": 60}
    server = uvicorn.Server(uvicorn.Config(hello, log_level="critical", **settings))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def line_to(port, words=b""):
    line = socket.create_connection(("127.0.0.1", port))
    line.sendall(words)
    return line


def until_closed(line):
    """Return all that comes until the other side ends it."""
    told = b""
    try:
        while chunk := line.recv(2**16):
            told += chunk
    except ConnectionResetError:
        pass
    return told


def is_answered(line):
    """Ask on a line, and return whether the answer is whole."""
    line.sendall(KNOWN)
    told = b""
    while b"hello" not in told and (chunk := line.recv(2**16)):
        told += chunk
    return told.endswith(b"hello")


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        (b"", 0),
        (HALF_A_HEADER, 0),
        (HALF_A_BODY, 1),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" + HALF_A_HEADER, 1),
    ],
)
def test_who_says_nothing_more_is_ended(words, answers):
    with answering(seconds=0.2) as port, line_to(port, words) as line:
        assert until_closed(line).count(b"200 OK") == answers


def test_the_longest_silent_stranger_makes_way():
    with answering(most=3) as port, ExitStack() as open_lines:
        known = open_lines.enter_context(line_to(port))
        assert is_answered(known)
        lines = [open_lines.enter_context(line_to(port)) for _ in range(4)]
        assert [until_closed(line) for line in lines[:2]] == [b"", b""]
        for line in (known, *lines[2:]):
            assert is_answered(line)


def test_a_page_is_answered_while_a_thousand_strangers_hang(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2000:
        pytest.skip("this system lets nobody open a thousand connections")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2000), hard))
    few_files = ("sh", "-c", 'ulimit -n 256; exec "$@"', "sh")
    with started_in(tmp_path / "space") as start, ExitStack() as strangers:
        server = start(before=few_files)
        assert server.client.get("/runs") == []
        port = int(server.address.rpartition(":")[2])
        for words in (b"", HALF_A_HEADER, HALF_A_BODY, NONSENSE):
            for _ in range(250):
                strangers.enter_context(line_to(port, words))
            assert server.client.get("/runs") == []
            with httpx.Client(headers=server.http.headers) as another:
                assert another.get(f"{server.address}/api/runs").json() == []
        server.stop()
        assert len(server.log.read_text().splitlines()) <= 1


def record(words, error=None):
    cause = None if error is None else (type(error), error, None)
    return logging.LogRecord("a", logging.ERROR, "a.py", 1, words, (), cause)


def test_a_line_is_said_once_in_a_while():
    once = SaidOnce(seconds=60)
    assert once.filter(record("Invalid HTTP request received."))
    assert not once.filter(record("Invalid HTTP request received."))
    assert once.filter(record("It failed.", ValueError("a")))
    assert once.filter(record("It failed.", ValueError("b")))
    always = SaidOnce(seconds=0)
    assert always.filter(record("It failed."))
    assert always.filter(record("It failed."))


@pytest.mark.parametrize(
    ("limits", "most", "after"),
    [
        ((256, 256), 64, 256),
        ((256, 4096), MOST, 4 * MOST),
        ((10**6, 10**6), MOST, 10**6),
        ((resource.RLIM_INFINITY,) * 2, MOST, resource.RLIM_INFINITY),
    ],
)
def test_connections_leave_files_for_the_rest(monkeypatch, limits, most, after):
    soft = [limits[0]]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: soft.append(new[0]))
    assert most_connections() == most
    assert soft[-1] == after
