"""Response times of the local app with 20 clients while two fits run.

    python -m benchmarks app_load [SECONDS] [PAUSE]

For 60 seconds, each client requests the lists of runs and tables, one run and the
status, and sometimes renames the run, with a pause (default: 0.1 s) after each answer.
Clients and server run on the same machine.
"""

import http.client
import json
import re
import subprocess
import sys
import tempfile
import threading
from statistics import median
from time import monotonic, perf_counter, sleep
from urllib.parse import urlsplit

CLIENTS = 20
SLOW = {"method": "nexom", "parameters": {"max_iter": 10**8}, "honesty": False}


class Line:
    """One open connection to the app, as in a browser."""

    def __init__(self, link):
        parts = urlsplit(link)
        token = parts.query.removeprefix("token=")
        self._headers = {"Authorization": f"Bearer {token}"}
        self._line = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)

    def ask(self, method, path, record=None):
        """Return the status and content of an answer."""
        body = None if record is None else json.dumps(record)
        kind = {"Content-Type": "application/json"} if body else {}
        self._line.request(method, f"/api{path}", body, self._headers | kind)
        answer = self._line.getresponse()
        return answer.status, json.loads(answer.read() or "null")

    def close(self):
        """Close the connection."""
        self._line.close()


def begin(link, n_fits=2):
    """Start fits that take hours, and return their ids when they run."""
    line = Line(link)
    table = line.ask("POST", "/datasets", {"name": "iris"})[1]["id"]
    runs = [
        line.ask("POST", "/runs", SLOW | {"table": table})[1]["id"]
        for _ in range(n_fits)
    ]
    while any(line.ask("GET", f"/runs/{run}")[1]["state"] == "queued" for run in runs):
        sleep(0.05)
    line.close()
    return runs


def asked(link, run, seconds, pause, clients=CLIENTS):
    """Return the time of each answer, and all errors."""
    times, wrong = [], []
    end = monotonic() + seconds

    def client(number):
        line = Line(link)
        wishes = [("GET", path) for path in ("/runs", "/tables", "/status")]
        wishes += [("GET", f"/runs/{run}")] * 2
        wishes += [("PATCH", f"/runs/{run}", {"name": f"by client {number}"})]
        turn = number
        while monotonic() < end:
            start = perf_counter()
            try:
                status, _ = line.ask(*wishes[turn % len(wishes)])
            except (OSError, http.client.HTTPException, ValueError) as error:
                wrong.append(repr(error))
                break
            times.append(perf_counter() - start)
            if status != 200:
                wrong.append(f"{wishes[turn % len(wishes)]}: {status}")
            turn += 1
            sleep(pause)
        line.close()

    threads = [threading.Thread(target=client, args=(i,)) for i in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, wrong


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    pause = float(sys.argv[2]) if len(sys.argv) > 2 else 0.1
    command = "from labelscape.cli.main import main; main()"
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-c", command, "serve", "--no-open"],
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
        )
        link = next(filter(None, (re.search(r"http\S+", s) for s in server.stdout)))[0]
        run, _ = begin(link)
        times, wrong = asked(link, run, seconds, pause)
        server.terminate()
        server.wait()
    times.sort()
    print(f"{CLIENTS} clients, {seconds:g} s, pause {pause:g} s, two fits running")
    print(f"answers {len(times)}, {len(times) / seconds:.0f} per second")
    print(f"wrong   {len(wrong)} {wrong[:3] or ''}")
    print(f"median  {1000 * median(times):.1f} ms")
    print(f"95 %    {1000 * times[int(0.95 * len(times))]:.1f} ms")
    print(f"longest {1000 * times[-1]:.1f} ms")


if __name__ == "__main__":
    main()
