"""``labelscape certify``: maps from files and columns, rules, records and badges."""

import json
import os
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA


@pytest.fixture
def wine(tmp_path):
    """Write wine with a fitted map in columns, and a map of labels in a file."""
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    Z = PCA(2, random_state=0).fit_transform(X)
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
    frame = frame.assign(kind=[f"k{c}" for c in y], umap_1=Z[:, 0], umap_2=Z[:, 1])
    frame.to_csv(tmp_path / "wine.csv", index=False)
    np.save(tmp_path / "pca.npy", Z)
    named = pd.DataFrame(Z, columns=["x", "y"]).assign(id=range(len(Z)), kind="a")
    named.to_csv(tmp_path / "pca.csv", index=False)
    named[["x", "y"]].to_parquet(tmp_path / "pca.parquet")
    rng = np.random.default_rng(0)
    np.save(
        tmp_path / "fake.npy",
        rng.normal(size=Z.shape) + 9.0 * (np.arange(178) % 2)[:, None],
    )
    return "wine.csv", "--label", "kind"


@pytest.mark.parametrize("name", ["umap_1,umap_2", "pca.npy", "pca.csv", "pca.parquet"])
def test_a_map_is_read_and_certified(run, wine, name):
    data, *label = wine
    done = run("certify", data, name, *label, "--drop", "umap_1", "--json")
    if name == "umap_1,umap_2":  # columns that are a map are no features anyway
        done = run("certify", data, name, *label, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["schema"], found["version"]) == ("labelscape.certificate", 1)
    (one,) = found["maps"]
    assert (one["map"], one["real"], one["kept"]) == (name, "yes", "all")
    assert one["has_gap"] in ("yes", "partly", "no", "untested")


def test_each_pair_of_neighbors_is_a_record(run, tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 4)), np.arange(200) % 2
    X[:, 0] += 7.0 * y
    table = pd.DataFrame(X, columns=[*"abcd"]).assign(kind=np.array(["k", "m"])[y])
    table.to_csv(tmp_path / "two.csv", index=False)
    np.save(tmp_path / "ab.npy", X[:, :2])
    done = run("certify", "two.csv", "ab.npy", "--label", "kind", "--json")
    (one,) = json.loads(done.stdout)["maps"]
    (pair,) = one["gaps"]
    assert {*pair} >= {"classes", "kind", "p_value", "share"}
    assert (pair["classes"], pair["kind"], one["has_gap"]) == (["k", "m"], "gap", "yes")


def test_the_answers_are_printed_and_rules_set_the_exit_code(run, wine):
    data, *label = wine
    drop = ("--drop", "umap_1", "--drop", "umap_2")
    good = run("certify", data, "pca.npy", *label, *drop, "--fail-on", "partly")
    assert good.exit_code == 0, good.output
    assert "● Are the classes really separated? Yes: " in good.stdout
    assert "Is there a gap between the classes?" in good.stdout
    bad = run("certify", data, "fake.npy", *label, *drop, "--fail-on", "no")
    assert bad.exit_code == 1
    assert "▲ Are the classes really separated? No: " in bad.stdout
    assert "Failed on: fake.npy: no." in bad.stdout


def test_several_maps_are_a_table_and_the_first_has_a_badge(run, wine, tmp_path):
    data, *label = wine
    done = run("certify", data, "umap_1,umap_2", "fake.npy", *label, "--badge", "b.svg")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["yes", "all"] in [line[-2:] for line in lines if "umap_1,umap_2" in line]
    assert any(line[0] == "fake.npy" and "no" in line for line in lines if line)
    badge = ElementTree.fromstring((tmp_path / "b.svg").read_text(encoding="utf-8"))
    assert "real: yes, " in "".join(badge.itertext())
    assert "p = 0.002" in "".join(badge.itertext())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.npy"], "There is no file 'none.npy'"),
        (["pca.npy", "--fail-on", "always"], "--fail-on must be 'no', 'partly' or"),
        (["kind,umap_1"], "kind"),
        (["wine.csv"], "two or three columns of positions"),
        (["pca.npy", "--badge", "b.png"], "must end in .svg"),
        (["short.npy"], "'short.npy' has 3 positions, but the table has 178 rows"),
        (["line.npy"], "two or three columns of positions, got 178"),
        (["words.npy"], "'words.npy' has no array of real numbers"),
        (["gap.csv"], "'gap.csv': 1 row has no position (the first is row 4)"),
        (["words.csv"], "it has: x, y"),
        (["huge.npy"], "declares an array of shape (200000000000, 2)"),
        (["complex.npy"], "no array of real numbers, but of complex128"),
        (["pipe.npy"], "is not a file"),
        (["pipe.csv"], "is not a file"),
    ],
)
def test_wrong_input_is_named(run, wine, tmp_path, arguments, words):
    np.save(tmp_path / "short.npy", np.zeros((3, 2)))
    np.save(tmp_path / "line.npy", np.zeros(178))
    np.save(tmp_path / "words.npy", np.array(["a", "b"]))
    np.save(tmp_path / "complex.npy", np.zeros((178, 2), dtype=complex))
    with (tmp_path / "huge.npy").open("wb") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": (200 * 10**9, 2)}
        np.lib.format.write_array_header_1_0(file, header)
    for kind in ("npy", "csv"):
        os.mkfifo(tmp_path / f"pipe.{kind}")
    gap = pd.DataFrame({"x": np.arange(178.0) % 7, "y": 1.5})
    gap.loc[3, "x"] = None
    gap.to_csv(tmp_path / "gap.csv", index=False)
    gap.assign(x="left", y="up").to_csv(tmp_path / "words.csv", index=False)
    done = run("certify", wine[0], *arguments, *wine[1:])
    assert done.exit_code == 2
    assert words in done.output


def test_files_of_other_tools_have_no_names_row_numbers_or_spare_rows(
    run, wine, tmp_path
):
    data, *label = wine
    drop = ("--drop", "umap_1", "--drop", "umap_2")
    Z = pd.DataFrame(np.load(tmp_path / "pca.npy"))
    Z.to_csv(tmp_path / "plain.csv", index=False, header=False)
    Z.to_csv(tmp_path / "numbered.csv")
    frame = pd.read_csv(tmp_path / data)
    frame.loc[::30, "kind"] = None  # these rows are in the map, too
    frame.to_csv(tmp_path / data, index=False)
    maps = ("plain.csv", "numbered.csv", "pca.npy")
    done = run("certify", data, *maps, *label, *drop, "--drop-unlabelled", "--json")
    assert done.exit_code == 0, done.output
    first, *others = json.loads(done.stdout)["maps"]
    assert first["real"] == "yes"
    assert [one["unseen"] for one in others] == [first["unseen"]] * 2


@pytest.fixture
def named(tmp_path):
    """Write a table and a map with ids; the rows of the map are in another order."""
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    names = [f"w{i:03}" for i in range(178)]
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(13)])
    frame.assign(kind=y, wine=names).to_csv(tmp_path / "d.csv", index=False)
    Z = pd.DataFrame(PCA(2).fit_transform(X), columns=["x", "y"]).assign(wine=names)
    Z.to_csv(tmp_path / "same.csv", index=False)
    return Z


ARGUMENTS = ("--label", "kind", "--id", "wine", "--json")


def test_positions_are_joined_by_ids(run, named, tmp_path):
    shuffled = named.sample(frac=1, random_state=0)
    spare = pd.DataFrame({"x": [1.0, None], "y": 2.0, "wine": ["other", "spare"]})
    pd.concat([spare, shuffled]).to_csv(tmp_path / "shuffled.csv", index=False)
    done = run("certify", "d.csv", "same.csv", "shuffled.csv", *ARGUMENTS)
    assert done.exit_code == 0, done.output
    first, second = json.loads(done.stdout)["maps"]
    assert first.pop("map") != second.pop("map")
    assert first["real"] == "yes"
    assert first == second


def test_rows_without_a_label_have_ids_in_the_map_too(run, named, tmp_path):
    frame = pd.read_csv(tmp_path / "d.csv")
    frame.loc[::30, "kind"] = None
    frame.to_csv(tmp_path / "d.csv", index=False)
    named.sample(frac=1, random_state=0).to_csv(tmp_path / "z.csv", index=False)
    arguments = (*ARGUMENTS, "--drop-unlabelled")
    done = run("certify", "d.csv", "same.csv", "z.csv", *arguments)
    first, second = json.loads(done.stdout)["maps"]
    assert (first["real"], first["unseen"]) == ("yes", second["unseen"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda Z: Z.assign(wine="v" + Z.wine), "it lacks 'w000', 'w001'"),
        (lambda Z: Z.assign(wine=Z.wine.str[:3]), "has repeated ids in column 'wine'"),
        (lambda Z: Z.iloc[:100], "it lacks 'w100', 'w101'"),
        (lambda Z: Z.assign(wine=Z.wine.where(Z.index > 3)), "4 missing values"),
    ],
)
def test_ids_that_differ_are_refused(run, named, tmp_path, change, words):
    change(named).to_csv(tmp_path / "z.csv", index=False)
    done = run("certify", "d.csv", "z.csv", *ARGUMENTS)
    assert done.exit_code == 2
    assert words in " ".join(done.output.split())


def test_repeated_ids_may_be_in_the_same_order(run, named, tmp_path):
    frame = pd.read_csv(tmp_path / "d.csv").assign(
        wine=[f"g{i // 2}" for i in range(178)]
    )
    frame.to_csv(tmp_path / "d.csv", index=False)
    named.assign(wine=frame.wine).to_csv(tmp_path / "z.csv", index=False)
    assert run("certify", "d.csv", "z.csv", *ARGUMENTS).exit_code == 0
    named.assign(wine=frame.wine[::-1].to_numpy()).to_csv(
        tmp_path / "z.csv", index=False
    )
    done = run("certify", "d.csv", "z.csv", *ARGUMENTS)
    assert "has repeated ids" in done.output
