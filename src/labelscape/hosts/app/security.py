"""Who may talk to the app: Jupyter's rules, as one layer around it.

The server listens on this machine only, but so do the pages that a browser has open:
any of them can send requests to a port of this machine. So a request needs the token
that was printed with the link, the name of this machine as its host (else a foreign
name could be pointed at us), and no foreign origin.
"""

import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs, urlencode

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Names under which only this machine can be reached.
LOOPBACK = ("127.0.0.1", "localhost", "::1")

# The longest body that is no file: an order that drops very many columns.
LONGEST_RECORD = 16 * 2**20

HEADERS = {
    "content-security-policy": (
        # 'unsafe-eval' is for regl, which writes its own functions.
        "default-src 'none'; script-src 'self' 'unsafe-eval'; worker-src blob:; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; "
        "base-uri 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Lets through what may pass, and tells the rest why not."""

    def __init__(
        self,
        app: App,
        *,
        token: str,
        hosts: frozenset[str] | None,
        largest: int,
        uploads: frozenset[str] = frozenset(),
        cookie: str = "labelscape",
    ) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = hosts
        self._largest = largest
        self._uploads = uploads
        self._cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        if scope["type"] != "http":  # nobody here speaks over sockets
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in scope["headers"]
        }
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _answer(send, *refusal, as_json=scope["path"].startswith("/api"))
        elif scope["path"] == "/" and b"token=" in scope["query_string"]:
            await self._welcome(scope, send)
        else:
            limited = self._limited(receive, self._most(scope))
            await self._app(scope, limited, _with_headers(send))

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        if "\0" in scope["path"]:  # which no file has in its name
            return 404, "Not Found"
        host = headers.get("host", "")
        if self._hosts is not None and host.lower() not in self._hosts:
            return 403, "This app answers only on the machine that it runs on."
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].lower() != host.lower():
            return 403, "Requests from other pages are refused."
        is_foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        is_link = headers.get("sec-fetch-mode") == "navigate"
        # A link on a foreign page may lead here; what it fetches or sends may not.
        if is_foreign and not (is_link and scope["method"] == "GET"):
            return 403, "Requests from other pages are refused."
        if not self._knows_token(scope, headers):
            return 401, "Open the link that 'labelscape serve' printed: it has a token."
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return 400, "Content-Length is not a number."
        if int(length) > self._most(scope):
            return 413, _too_large(self._most(scope))
        return None

    def _most(self, scope: Scope) -> int:
        is_upload = scope["path"] in self._uploads
        return self._largest if is_upload else min(self._largest, LONGEST_RECORD)

    def _knows_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        given = _cookies(self._cookie, headers.get("cookie", ""))
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            given.append(token.strip())
        if scope["path"] == "/":
            given += parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        return any(
            hmac.compare_digest(one.encode("utf-8", "replace"), self._token)
            for one in given
        )

    async def _welcome(self, scope: Scope, send: Send) -> None:
        """Put the token into a cookie and out of the address bar."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        query.pop("token", None)
        rest = urlencode(query, doseq=True)
        rights = "Path=/; HttpOnly; SameSite=Strict"
        cookie = f"{self._cookie}={self._token.decode()}; {rights}"
        # A page that goes on by itself, because a redirect that began on another page
        # would not carry a strict cookie.
        target = "/" + (f"?{rest}" if rest else "")
        more = {"set-cookie": cookie, "refresh": f"0; url={target}"}
        await _answer(send, 200, "", more)

    def _limited(self, receive: Receive, most: int) -> Receive:
        """Count a body that does not say how long it is."""
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > most:
                raise BodyTooLargeError(_too_large(most))
            return message

        return counted


class BodyTooLargeError(Exception):
    """A body that is longer than the app takes."""


def _too_large(most: int) -> str:
    return (
        f"The app takes at most {most / 2**20:,.3g} MB here. For larger files, start "
        "it with a higher --upload-limit, or give it the path of the file."
    )


def _cookies(name: str, header: str) -> list[str]:
    """Return the values of the cookies of this name.

    Cookies know no ports, so those of other apps on this machine come along, well
    formed or not: `http.cookies` would drop all of them for an odd one.
    """
    pairs = (part.partition("=") for part in header.split(";"))
    return [value.strip() for key, _, value in pairs if key.strip() == name]


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [
                *message["headers"],
                *((k, v) for k, v in _encoded(HEADERS) if k not in given),
            ]
        await send(message)

    return sent


async def _answer(
    send: Send,
    status: int,
    words: str,
    more: dict[str, str] | None = None,
    *,
    as_json: bool = False,
) -> None:
    kind = "application/json" if as_json else "text/plain; charset=utf-8"
    headers = HEADERS | {"content-type": kind} | (more or {})
    problem = {"detail": words, "parameter": None}
    body = json.dumps(problem) if as_json else words
    start = {
        "type": "http.response.start",
        "status": status,
        "headers": _encoded(headers),
    }
    await send(start)
    await send({"type": "http.response.body", "body": body.encode()})


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(k.encode("latin-1"), v.encode("latin-1")) for k, v in headers.items()]
