"""The app as a separate process, and a client."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx

# Seconds that only something that never ends takes, however busy the machine is.
ENDLESS = 1200
COMMAND = "from labelscape.cli.main import main; main()"


def table(n_rows=60, *, seed=0):
    """Return a small table of three classes as CSV, with names for its rows."""
    import numpy as np

    rng = np.random.default_rng(seed)
    lines = ["name,height,leaf,bark,age,kind"]
    for i in range(n_rows):
        values = rng.normal(size=4) + 3.0 * np.eye(4)[i % 3]
        cells = ",".join(f"{value:.4f}" for value in values)
        lines.append(f"t{i},{cells},{('oak', 'fir', 'ash')[i % 3]}")
    return "\n".join(lines)


def until(told, seconds=ENDLESS):
    """Call a function until the result is true, and return it."""
    end = time.monotonic() + seconds
    while not (answer := told()):
        assert time.monotonic() < end, "it did not come in time"
        time.sleep(0.02)
    return answer


class Client:
    """A client that sends the same requests as the page."""

    def __init__(self, http):
        self.http = http

    def get(self, path, **options):
        answer = self.http.get(f"/api{path}", **options)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def upload(self, content=None, name="trees.csv"):
        content = table() if content is None else content
        return self.http.post("/api/tables", params={"name": name}, content=content)

    def added(self, content=None, name="trees.csv"):
        answer = self.upload(content, name)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def order(self, table, method="lda", reading=(), **more):
        roles = {"label": "kind", "id": "name"} | dict(reading)
        wish = {"table": table, "reading": roles, "honesty": False, "audit": False}
        return self.http.post("/api/runs", json=wish | {"method": method} | more)

    def started(self, table, method="lda", **more):
        answer = self.order(table, method, **more)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def slow(self, table, **more):
        """Start a fit that takes hours, and wait until it runs."""
        id = self.started(table, "nexom", parameters={"max_iter": 10**8}, **more)
        self.until(id, lambda run: run["state"] == "running")
        return id

    def until(self, id, told, seconds=ENDLESS):
        def asked():
            run = self.get(f"/runs/{id}")
            return run if told(run) else None

        return until(asked, seconds)

    def ended(self, id, seconds=ENDLESS):
        return self.until(
            id, lambda run: run["state"] not in ("queued", "running"), seconds
        )


def run_apart(function):
    """Run a coroutine in a thread of its own: browser tests keep this one's loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(function())).result()


class Server:
    """``labelscape serve`` over a workspace; ``before`` is put before the command.

    It has one worker, if options do not ask for more: each takes seconds to start.
    """

    def __init__(self, workspace, *options, before=()):
        self.workspace = workspace
        self.log = Path(f"{workspace}.log")
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [
                    *before,
                    *(sys.executable, "-c", COMMAND, "serve", "--no-open"),
                    *("--workspace", workspace, "--workers", "1", *options),
                ],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # Ctrl+C goes to all of a group
            )
        found = None
        while found is None and (line := self.process.stdout.readline()):
            found = re.search(r"http://\S+", line)
        assert found, self.log.read_text()
        self.link = found[0]
        self.address, _, self.token = self.link.partition("/?token=")
        self.token = self.token.partition("&")[0]
        self.http = httpx.Client(
            base_url=self.address,
            headers={"authorization": f"Bearer {self.token}"},
            timeout=ENDLESS,
        )
        self.client = Client(self.http)

    def family(self):
        """Return the ids of all processes of this server."""
        return [id for id, group in _groups() if group == self.process.pid]

    def left(self, seconds=ENDLESS):
        """Return the processes of the server that run after a few seconds."""
        end = time.monotonic() + seconds
        while self.family() and time.monotonic() < end:
            time.sleep(0.05)
        return self.family()

    def kill(self):
        self.process.kill()
        self._end()

    def stop(self, sign=signal.SIGINT):
        os.killpg(self.process.pid, sign)
        return self._end()

    def _end(self):
        code = self.process.wait()
        self.http.close()
        self.process.stdout.close()
        return code


@contextmanager
def started_in(workspace):
    """Yield a function that starts servers, and stop all servers at the end."""
    servers = []

    def start(*options, **more):
        servers.append(Server(workspace, *options, **more))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.kill()


def _groups():
    """Yield id and process group of each running process."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if fields[0] != "Z":
                yield int(entry.name), int(fields[2])
