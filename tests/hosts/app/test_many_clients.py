"""Many clients at once: the numbers are in benchmarks/app_load.py."""

import os
from importlib import import_module
from pathlib import Path

SECONDS = 60 if os.environ.get("LABELSCAPE_LONG") == "1" else 5


def test_twenty_clients_are_all_answered_while_two_fits_run(serving, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[3])
    load = import_module("benchmarks.app_load")
    server = serving("--workers", "2")
    runs = load.begin(server.link)
    times, wrong = load.asked(server.link, runs[0], SECONDS, pause=0.05)
    assert wrong == []
    assert len(times) > 20
    assert {server.client.get(f"/runs/{run}")["state"] for run in runs} == {"running"}
    server.stop()
    assert server.log.read_text() == ""
