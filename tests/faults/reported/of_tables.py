"""Reported faults of tables: roles, missing-value codes, and rows that depend."""

import warnings
from contextlib import suppress

import numpy as np
import pandas as pd
from tests.faults.reported.registry import reported

import labelscape
from labelscape.crossfit import CrossFit
from labelscape.datasets import describe_columns, read_table
from labelscape.quality import certify


def penguins(rng):
    """Return a table with a counter that starts again in each species."""
    sizes = {"Adelie": 152, "Chinstrap": 68, "Gentoo": 124}
    species = np.repeat(list(sizes), list(sizes.values()))
    counter = np.concatenate([np.arange(n) + 1 for n in sizes.values()])
    body = rng.normal(size=(len(species), 3)).round(2)
    frame = pd.DataFrame(body, columns=["bill", "flipper", "mass"])
    return frame.assign(Species=species, **{"Sample Number": counter})


def groups_in(frame):
    """Return the names of the columns that would be taken as subjects."""
    roles = describe_columns(frame)
    return [one.name for one in roles if one.remark.startswith(("likely", "names"))]


@reported("trial W10 counter", "no column that counts each class is a subject")
def a_counter_is_no_subject(folder):
    path = folder / "penguins.csv"
    penguins(np.random.default_rng(0)).to_csv(path, index=False)
    table = read_table(path, label="Species")
    return table.groups is None, f"group: {table.group_column or 'none'}"


@reported("trial W10 units", "no column of decimals is a subject, below a units row")
def decimals_are_no_subject(folder):
    rng = np.random.default_rng(0)
    values = [f"{v:.1f}".replace(".", ",") for v in rng.uniform(4, 7, 96)]
    path = folder / "oils.csv"
    frame = pd.DataFrame({"Öl": np.repeat(["Raps", "Soja", "Mais"], 32).tolist()})
    frame = frame.assign(Palmitinsäure=values, Stearinsäure=values[::-1])
    units = pd.DataFrame({"Öl": [""], "Palmitinsäure": ["%"], "Stearinsäure": ["%"]})
    pd.concat([units, frame]).to_csv(path, index=False, sep=";")
    subjects = groups_in(path)
    return not subjects, f"subjects: {subjects}"


@reported("trial W10 copies", "a measurement that repeats in copies is no subject")
def copies_are_no_subject(folder):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4)).round(3)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["total"] = rng.integers(1000, 99_999, 200)
    frame["class"] = np.where(rng.uniform(size=200) < 0.5, "PS", "WS")
    path = folder / "cells.csv"
    pd.concat([frame] * 3).to_csv(path, index=False)
    subjects = groups_in(path)
    return not subjects, f"subjects: {subjects}"


@reported("trial W11 zeros", "0 is no missing-value code beside columns of 0 and 1")
def zeros_are_not_removed(folder):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(300, 6)).astype(float)
    X[:, 0] = rng.uniform(4, 7, 300).round(1)
    X[:5, 0] = 0.0
    found = labelscape.audit(X, np.arange(300) % 2, random_state=0).findings
    harmful = [one for one in found if one.remedy and one.code == "missing code"]
    return not harmful, f"{len(harmful)} remedies that would remove ordinary zeros"


@reported("trial W11 codes", "-999 in a quarter of a column is found, and -9, 99, 9999")
def codes_are_found(folder):
    rng = np.random.default_rng(0)
    X = rng.gamma(4.0, 120.0, size=(600, 5))
    for j, (code, n) in enumerate([(-999, 150), (-9, 40), (-99, 40), (9999, 80)]):
        X[rng.permutation(600)[:n], j] = code
    found = labelscape.audit(X, np.arange(600) % 2, random_state=0).findings
    codes = sorted(one.figure for one in found if one.code == "missing code")
    return codes == [-999.0, -99.0, -9.0, 9999.0], f"found: {codes}"


@reported("trial W12", "constant features do not hide those that vary in a wide table")
def constant_features_are_not_selected(folder):
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    X = rng.normal(size=(120, 20)) + 2.0 * y[:, None]
    constant = np.tile(-0.0137 * rng.uniform(0.5, 2.0, 700), (120, 1))
    X = np.hstack([constant, X])
    try:
        model = CrossFit(random_state=0).fit(X, y)
    except ValueError as error:
        return False, str(error)
    right = np.mean(model.probabilities_.argmax(axis=1) == y)
    return right > 0.9, f"{right:.0%} of held-out rows are right"


@reported("trial W12 names", "a column of 831 words is shown, not 831 features")
def many_words_are_names(folder):
    rng = np.random.default_rng(0)
    n = 15_524
    names = np.array([f"name{i}" for i in range(831)])[rng.integers(831, size=n)]
    frame = pd.DataFrame({"first": names, "age": rng.normal(size=n).round(2)})
    frame["result"] = np.where(rng.uniform(size=n) < 0.1, "positive", "negative")
    path = folder / "covid.csv"
    frame.to_csv(path, index=False)
    table = read_table(path, label="result")
    return table.X.shape[1] == 1, f"{table.X.shape[1]} features"


@reported("trial W12 leak", "a feature that separates two of three classes is reported")
def a_hidden_leak_is_found(folder):
    rng = np.random.default_rng(0)
    y = rng.choice(["negative", "positive", "invalid"], 600, p=[0.6, 0.3, 0.1])
    ct = np.where(y == "positive", rng.uniform(15, 40, 600), 45.0)
    X = np.column_stack([rng.normal(size=(600, 5)), ct])
    found = labelscape.audit(X, y, random_state=0).findings
    named = [one.code for one in found if "x5" in one.subjects]
    return bool(named), f"findings on the feature: {named}"


@reported("trial W13 index", "an index of 1 to 50 in each group counts rows")
def an_index_in_groups_is_a_counter(folder):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(200, 2)).round(2), columns=["FL", "RW"])
    frame["index"] = np.tile(np.arange(1, 51), 4)
    frame["sp"] = np.repeat(["B", "O"], 100)
    path = folder / "crabs.csv"
    frame.to_csv(path, index=False)
    named = [one.name for one in describe_columns(path) if one.counts_rows]
    return named == ["index"], f"row numbers: {named}"


@reported(
    "trial W13 numeric label", "no measurement is a copy of an almost unique label"
)
def a_measurement_is_no_copy(folder):
    rng = np.random.default_rng(0)
    path = folder / "numeric.csv"
    names = ["random", "tau", "Ab_42", "mix"]
    frame = pd.DataFrame(rng.normal(size=(300, 4)), columns=names)
    frame["mix"] = frame["mix"].round(1)
    frame.to_csv(path, index=False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with suppress(ValueError):  # the label has too many different values
            read_table(path, label="random", row_numbers="drop")
    said = " ".join(str(one.message) for one in caught)
    return "copy of the classes" not in said, said or "no warning"


def field(rng, at, scale=0.2, waves=200):
    """Return a smooth random field at the places (n, 2)."""
    directions = rng.normal(size=(waves, 2)) / scale
    shifts = rng.uniform(0, 2 * np.pi, waves)
    return np.sqrt(2 / waves) * np.cos(at @ directions.T + shifts).sum(axis=1)


@reported("trial dependent fields", "no green light for independent spatial fields")
def spatial_fields_are_not_green(folder):
    n_green, n_yes = 0, 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        at = rng.uniform(size=(250, 2))
        X = np.column_stack([field(rng, at) for _ in range(6)])
        y = field(rng, at) > 0
        frame = pd.DataFrame(X).assign(lon=at[:, 0], lat=at[:, 1])
        frame.columns = frame.columns.map(str)
        verdict = certify(frame, X[:, :2], y, random_state=0).verdict
        n_yes += verdict.real == "yes"
        n_green += verdict.lights[0].state == "good"
    return n_green == 0, f"{n_green} of 6 green ({n_yes} say yes)"


@reported("trial dependent rows", "no green light for walks and subjects in a row")
def rows_in_sequence_are_not_green(folder):
    n_green, n_yes = 0, 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        if seed % 2:
            X, y = np.cumsum(rng.normal(size=(240, 6)), axis=0), rng.normal(size=240)
            y = np.cumsum(y) > np.median(np.cumsum(y))
        else:
            subject = np.repeat(np.arange(24), 10)
            X = rng.normal(size=(24, 6))[subject] + rng.normal(size=(240, 6))
            y = rng.permutation(np.arange(24) % 2)[subject]
        verdict = certify(X, X[:, :2], y, random_state=0).verdict
        n_yes += verdict.real == "yes"
        n_green += verdict.lights[0].state == "good"
    return n_green == 0, f"{n_green} of 8 green ({n_yes} say yes)"
