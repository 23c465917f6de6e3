"""Access to the app, and answers to unauthorized clients."""

import httpx
import pytest
from tests.hosts.app.serving import run_apart

from labelscape.hosts.app.security import (
    HEADERS,
    LONGEST_RECORD,
    BodyTooLargeError,
    Guard,
)
from labelscape.hosts.app.server import guarded

TOKEN = "secret-token"
HERE = "127.0.0.1:4321"


async def inner(scope, receive, send):
    try:
        size = 0
        while True:
            message = await receive()
            size += len(message.get("body", b""))
            if not message.get("more_body"):
                break
        status = 200
    except BodyTooLargeError:
        status, size = 413, 0
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


def asked(
    method="GET", path="/api/tables", *, hosts=frozenset({HERE}), more=None, **options
):
    async def ask():
        settings = {"largest": 1000, "uploads": frozenset({"/api/tables"})}
        settings |= more or {}
        guard = Guard(inner, token=TOKEN, hosts=hosts, **settings)
        transport = httpx.ASGITransport(app=guard)
        async with httpx.AsyncClient(
            transport=transport, base_url=f"http://{HERE}"
        ) as client:
            return await client.request(method, path, **options)

    return run_apart(ask)


def bearer(**more):
    return {"authorization": f"Bearer {TOKEN}", **more}


def test_the_token_opens_as_header_and_as_cookie():
    assert asked(headers=bearer()).status_code == 200
    cookie = {"cookie": f"labelscape={TOKEN}"}
    assert asked(headers=cookie).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": f"Basic {TOKEN}"},
        {"cookie": "labelscape=wrong"},
        {"cookie": "\x00;=;"},
    ],
)
def test_without_the_token_nothing_is_answered(headers):
    answer = asked(headers=headers)
    assert answer.status_code == 401
    assert "link" in answer.text


def test_the_token_in_the_address_works_at_the_door_only():
    assert asked(path=f"/api/tables?token={TOKEN}").status_code == 401
    answer = asked(path=f"/?token={TOKEN}")
    assert answer.status_code == 200
    assert "HttpOnly; SameSite=Strict" in answer.headers["set-cookie"]
    assert answer.headers["refresh"] == "0; url=/"
    assert asked(path="/?token=wrong").status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", ""])
def test_a_foreign_host_name_is_refused(host):
    assert asked(headers=bearer(host=host)).status_code == 403


def test_a_server_for_others_takes_any_host_name():
    answer = asked(headers=bearer(host="box.example"), hosts=None)
    assert answer.status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1"])
def test_a_foreign_origin_is_refused(origin):
    assert asked("POST", headers=bearer(origin=origin)).status_code == 403
    assert asked("GET", headers=bearer(origin=origin)).status_code == 403


def test_the_own_origin_passes():
    assert asked("POST", headers=bearer(origin=f"http://{HERE}")).status_code == 200


def test_what_foreign_pages_fetch_is_refused_and_links_pass():
    foreign = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert asked(headers=bearer(**foreign)).status_code == 403
    link = foreign | {"sec-fetch-mode": "navigate"}
    assert asked(headers=bearer(**link)).status_code == 200
    assert asked("POST", headers=bearer(**link)).status_code == 403


def test_large_bodies_are_refused_whether_or_not_they_say_so():
    assert asked("POST", headers=bearer(), content=b"x" * 1001).status_code == 413
    assert asked("POST", headers=bearer(), content=b"x" * 1000).text == "1000"

    async def unsaid():
        for _ in range(3):
            yield b"x" * 500

    assert asked("POST", headers=bearer(), content=unsaid()).status_code == 413


def test_every_answer_carries_the_headers_that_protect_the_page():
    for headers in (bearer(), {}, bearer(host="evil.example")):
        answer = asked(headers=headers)
        for name, value in HEADERS.items():
            assert answer.headers[name] == value


def test_only_uploads_may_be_long():
    length = {"content-length": str(LONGEST_RECORD + 1)}
    large = {"largest": 2**40}
    options = {"more": large, "headers": bearer(**length)}
    assert asked("POST", "/api/runs", **options).status_code == 413
    assert asked("POST", "/api/tables", **options).status_code == 200


@pytest.mark.parametrize("length", ["²", "-1", "1e3", "x"])
def test_a_length_that_is_no_number_is_refused(length):
    headers = [
        (b"authorization", f"Bearer {TOKEN}".encode()),
        (b"host", HERE.encode()),
        (b"content-length", length.encode("latin-1")),
    ]
    assert sent(headers=headers, method="POST")[0]["status"] == 400


def test_refusals_are_records_for_the_api_and_words_for_people():
    answer = asked(path="/api/runs")
    assert answer.headers["content-type"] == "application/json"
    assert "link" in answer.json()["detail"]
    assert asked(path="/").headers["content-type"].startswith("text/plain")


def test_two_apps_on_one_machine_keep_their_cookies_apart():
    mine, other = {"cookie": "labelscape-1"}, {"cookie": "labelscape-2"}
    door = asked(path=f"/?token={TOKEN}", more=mine)
    assert door.headers["set-cookie"].startswith(f"labelscape-1={TOKEN};")
    jar = {"cookie": f"labelscape-1={TOKEN}; labelscape-2=another"}
    assert asked(headers=jar, more=mine).status_code == 200
    assert asked(headers=jar, more=other).status_code == 401


@pytest.mark.parametrize(
    "others",
    ["a=b c", "odd", "=", 'a="b', "a[0]=1", "labelscape=from-elsewhere", "\xff=1"],
)
def test_cookies_of_other_apps_lock_nobody_out(others):
    for jar in (f"{others}; labelscape={TOKEN}", f"labelscape={TOKEN};{others}"):
        headers = {"cookie": jar.encode("latin-1")}
        assert asked(headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("port", "host", "status"),
    [
        (80, "localhost", 200),
        (80, "127.0.0.1", 200),
        (80, "localhost:80", 200),
        (80, "evil.example", 403),
        (8080, "localhost", 403),
        (8080, "[::1]:8080", 200),
    ],
)
def test_port_80_may_be_left_out_of_the_host(port, host, status):
    guard = guarded(inner, token=TOKEN, port=port, remote=False, upload=1000)
    headers = bearer(host=host).items()
    raw = [(name.encode(), value.encode()) for name, value in headers]
    assert sent(guard, headers=raw, method="GET")[0]["status"] == status


def test_sockets_are_not_let_through():
    assert sent(type="websocket") == []


def sent(guard=None, **scope):
    """Return what is sent back for a connection as a server describes it."""
    messages = []
    guard = guard or Guard(inner, token=TOKEN, hosts=None, largest=1000)

    async def receive():
        return {"type": "http.request", "body": b""}

    async def send(message):
        messages.append(message)

    async def ask():
        asked_for = {"type": "http", "path": "/api/runs", "query_string": b""}
        await guard(asked_for | scope, receive, send)

    run_apart(ask)
    return messages
