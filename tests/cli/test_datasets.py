import json
from dataclasses import asdict

from labelscape.datasets import available


def test_every_data_set_has_a_line(run):
    done = run("datasets")
    assert done.exit_code == 0
    header, *lines = done.stdout.splitlines()
    assert header.split() == ["name", "origin", "rows", "features", "classes", "about"]
    assert [line.split()[0] for line in lines] == [info.name for info in available()]


def test_json_lists_the_same(run):
    found = json.loads(run("datasets", "--json").stdout)["datasets"]
    assert found[0] == asdict(available()[0])
    assert len(found) == len(available())
