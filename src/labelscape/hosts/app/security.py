"""Which requests the app accepts, by the same rules as Jupyter.

By default, the server only listens on this machine, but any page that is open in a
browser can send requests to a port of this machine. Therefore, a request must have the
token of the printed link and a host name of this machine, and it must not come from a
page of another site. (Another site may point its own host name to this machine.)
"""

import hmac
from urllib.parse import urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Maximum size of a body that is not a file, such as an order that drops many columns.
LONGEST_RECORD = 16 * 2**20

HEADERS = {
    "content-security-policy": (
        # 'unsafe-eval' is for regl, which generates its own functions.
        "default-src 'none'; script-src 'self' 'unsafe-eval'; worker-src blob:; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src "
        "'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Passes allowed requests to the app, and rejects all others with a reason."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str,
        hosts: frozenset[str] | None,
        largest: int,
        uploads: frozenset[str] = frozenset(),
        cookie: str = "labelscape",
    ) -> None:
        self._app = app
        self._token = token
        self._hosts = hosts
        self._largest = largest
        self._uploads = uploads
        self._cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        if scope["type"] != "http":  # there are no web sockets
            return
        request, send = Request(scope), _with_headers(send)
        if (refusal := self._refusal(request)) is not None:
            await _answer(request, *refusal)(scope, receive, send)
        elif scope["path"] == "/" and "token" in request.query_params:
            await self._welcome(request)(scope, receive, send)
        else:
            await self._app(scope, _limited(receive, self._most(request)), send)

    def _refusal(self, request: Request) -> tuple[int, str] | None:
        headers = request.headers
        if "\0" in request.scope["path"]:  # which no file name contains
            return 404, "Not Found"
        host = headers.get("host", "").lower()
        if self._hosts is not None and host not in self._hosts:
            return 403, "This app only answers requests from its own machine."
        origin = headers.get("origin")
        is_foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        is_link = headers.get("sec-fetch-mode") == "navigate"
        # A foreign page may link to this app, but may not fetch or send.
        if (origin is not None and origin.partition("://")[2].lower() != host) or (
            is_foreign and not (is_link and request.method == "GET")
        ):
            return 403, "Requests from other pages are rejected."
        if not self._knows_token(request):
            return 401, "Open the link with a token that 'labelscape serve' printed."
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return 400, "Content-Length is not a number."
        if int(length) > self._most(request):
            return 413, _too_large(self._most(request))
        return None

    def _most(self, request: Request) -> int:
        is_upload = request.scope["path"] in self._uploads
        return self._largest if is_upload else min(self._largest, LONGEST_RECORD)

    def _knows_token(self, request: Request) -> bool:
        tokens = _cookies(self._cookie, request.headers.get("cookie", ""))
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            tokens.append(token.strip())
        if request.scope["path"] == "/":
            tokens += request.query_params.getlist("token")
        return any(
            hmac.compare_digest(one.encode("utf-8", "replace"), self._token.encode())
            for one in tokens
        )

    def _welcome(self, request: Request) -> Response:
        """Store the token in a cookie and remove it from the address bar."""
        pairs = request.query_params.multi_items()
        rest = urlencode([pair for pair in pairs if pair[0] != "token"])
        # A page that redirects automatically, because a redirect that began on another
        # page would not send a strict cookie.
        refresh = "0; url=/" + (f"?{rest}" if rest else "")
        rights = "Path=/; HttpOnly; SameSite=Strict"
        cookie = f"{self._cookie}={self._token}; {rights}"
        return PlainTextResponse("", headers={"set-cookie": cookie, "refresh": refresh})


def _limited(receive: Receive, most: int) -> Receive:
    """Count the bytes of a body as it arrives, and stop if it is too large."""
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
    """A body is larger than the app accepts."""


def _too_large(most: int) -> str:
    return (
        f"The app accepts at most {most / 2**20:,.3g} MB here. For larger files, start "
        "the app with a higher --upload-limit, or with the path of the file."
    )


def _cookies(name: str, header: str) -> list[str]:
    """Return all cookies with this name; other local apps may have set some of them."""
    pairs = (part.partition("=") for part in header.split(";"))
    return [value.strip() for key, _, value in pairs if key.strip() == name]


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sent


def _answer(request: Request, status: int, words: str) -> Response:
    if request.scope["path"].startswith("/api"):
        return JSONResponse({"detail": words, "parameter": None}, status)
    return PlainTextResponse(words, status)
