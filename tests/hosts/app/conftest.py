import threading
from contextlib import contextmanager

import httpx
import pytest
import uvicorn
from tests.hosts.app.serving import ENDLESS, Client, started_in

from labelscape.hosts.app.server import guarded, listening, make_app
from labelscape.hosts.app.session import Session
from labelscape.hosts.app.uploads import Limits

TOKEN = "secret-token"
SMALL = Limits(
    upload=4 * 2**20, unpacked=16 * 2**20, queue=3, memory=2**30, reading_seconds=600
)


@contextmanager
def answering(session):
    """Let a session answer in this process, and return a client with the token."""
    listener = listening("127.0.0.1", 0)
    port = listener.getsockname()[1]
    app = guarded(
        make_app(session),
        token=TOKEN,
        port=port,
        remote=False,
        upload=session.limits.upload,
    )
    settings = uvicorn.Config(app, log_level="critical", ws="none")
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    headers = {"authorization": f"Bearer {TOKEN}"}
    address = f"http://127.0.0.1:{port}"
    with httpx.Client(base_url=address, headers=headers, timeout=ENDLESS) as http:
        yield http
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """A session with one worker and small limits, for all tests of a file."""
    session = Session(tmp_path_factory.mktemp("space"), workers=1, limits=SMALL)
    yield session
    session.close()


@pytest.fixture(scope="module")
def http(session):
    """A client of the guarded app, which answers in this process."""
    with answering(session) as http:
        yield http


@pytest.fixture(scope="module")
def client(http):
    return Client(http)


@pytest.fixture(scope="module")
def trees(client):
    """The id of a small table."""
    return client.added()


@pytest.fixture
def serving(tmp_path):
    """Start servers for one workspace, and stop all servers at the end."""
    with started_in(tmp_path / "space") as start:
        yield start
