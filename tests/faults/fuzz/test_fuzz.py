"""Whatever is given to the library: the right answer, or words. See CONTRIBUTING.md."""

import os

import pytest
from tests.faults.fuzz import good
from tests.faults.fuzz.cases import public_case
from tests.faults.fuzz.kinds import EXAMPLE, KINDS
from tests.faults.fuzz.oracle import digest
from tests.faults.fuzz.runner import run
from tests.faults.fuzz.table import counted
from tests.faults.fuzz.targets import targets

LONG = os.environ.get("LABELSCAPE_LONG") == "1"
# Cases of each kind: in a suite that is to be quick, and when there is time. Models are
# tried by test_changed_models.py too, the same ones, four changes of each kind.
COUNTS = {"public": 1300, "table": 300, "model": 10}
LONG_COUNTS = {"public": 20_000, "table": 2000, "model": 3000}


def test_every_public_name_is_covered(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {target.name for target in targets()}
    assert {
        "load",
        "embeddings.Sammon",
        "quality.report",
        "hosts.Explorer.map =",
    } < names
    lacking = {
        f"{target.name}: {argument}"
        for target in targets()
        for argument in target.needed
        if good.good(target.name, argument) is good.NOTHING
    }
    assert not lacking, "good.py has no right value of these"


def test_a_case_is_the_same_whenever_it_is_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seed in range(0, 2000, 97):
        one, other = public_case(seed), public_case(seed)
        assert str(one) == str(other)
        assert digest(one.arguments) == digest(other.arguments)


@pytest.fixture(scope="module")
def tried():
    """Return a function to the results of a kind, and those of right arguments."""
    # In one process, in which each target is called rightly once: that compiles its
    # loops for the odd cases after it.
    known = {}

    def results(kind):
        if kind not in known:
            first = -len(targets()) if kind == "public" else 0
            seeds = range(first, (LONG_COUNTS if LONG else COUNTS)[kind])
            known[kind] = list(run(kind, seeds))
        return known[kind]

    return results


def test_right_arguments_are_right(tried):
    right = [result for result in tried("public") if result.seed < 0]
    assert len(right) == len(targets())
    refused = {r.case: str(r) for r in right if r.finding.outcome != "right"}
    # There is no classifier, nothing to fit, no browser that shows what it could
    # photograph, no structure with sites, and no package of cells.
    assert refused.keys() == {
        "boundary.ClassifierMap.as_in_paper",
        "embeddings.NEXOM.receptive_fields",
        "embeddings.XOM.receptive_fields",
        "hosts.Explorer.fit",
        "hosts.Explorer.measure",
        "hosts.Explorer.to_png",
        "jobs.map_cells",
    }, refused


def test_a_crash_and_a_hang_are_findings_and_not_the_end():
    seeds = [5, 6, 0, 1, 2, 3, 4]
    results = list(run(EXAMPLE, seeds, patience=0.5, endless=20.0))
    assert [result.seed for result in results] == seeds
    assert all(result.finding.outcome == result.case for result in results)


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.timeout(0)
def test_nothing_crashes_hangs_or_talks_of_its_insides(kind, capsys, tried):
    results = tried(kind)
    with capsys.disabled():
        print(f"\n{counted(results)}" if LONG else "", end="")
    wrong = [str(result) for result in results if not result.finding.is_fine]
    assert not wrong, "\n" + "\n".join(wrong)
