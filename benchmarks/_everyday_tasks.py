"""Measurements on an everyday table: certificate, audit, choice and maps."""

import warnings
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from benchmarks._everyday_tables import FEW_VALUES, RARE, Table, donors, table
from benchmarks.audit import kept, planted
from labelscape import audit
from labelscape._resampling.units import units_of
from labelscape._resampling.voters import Voters, balanced_accuracy
from labelscape.datasets import read_table
from labelscape.jobs import choose_method, method_named
from labelscape.prototypes import LiRaMLVQ
from labelscape.quality import honesty
from labelscape.quality.audit import opinions
from labelscape.quality.audit.suspects import discoveries
from labelscape.quality.audit.table_findings import too_rare

RATE = 0.1
CERTIFIED_ROWS, AUDITED_ROWS, FITTED_ROWS = 600, 1500, 1500
ERRORS = {
    "none": ("none", 0.0),
    "5%": ("random", 0.05),
    "10%": ("random", 0.1),
    "20%": ("random", 0.2),
    "systematic": ("systematic", 0.2),
}
RARE_ERRORS = {"1%": ("random", 0.01), "3%": ("random", 0.03)}
CANDIDATES = ("liram", "lfda", "crossfit")
NEIGHBORS = (1, 5, 15, 45, 99)


def certificate(name, seed, cache):
    """Return verdicts for true and shuffled labels, and for other kinds of tables."""
    T = _at_most(table(name, seed), CERTIFIED_ROWS, seed)
    shuffled = T._replace(y=np.random.default_rng(seed).permutation(T.y))
    kinds = {"labels": T, "shuffled": shuffled}
    if name in FEW_VALUES:
        y = np.repeat(shuffled.y, 3)
        kinds["three times"] = Table(np.repeat(T.X, 3, axis=0), y)
    if name == "crossed donors":
        rng = np.random.default_rng([seed, 1])
        n = int(rng.integers(3, 9))
        kinds["effect"] = Table(*donors(rng, n))
        kinds["no effect"] = Table(*donors(rng, n, effect=0.0))
        kinds["one donor"] = Table(*donors(rng, n, only_one=True))
    return {kind: _verdict(one, seed) for kind, one in kinds.items()}


def _verdict(T, seed):
    """Return the verdict of the certificate of a linear map."""
    X = StandardScaler().fit_transform(T.X)
    model = LiRaMLVQ(random_state=0)
    report = honesty(model, X, T.y, T.groups, n_refits=0, random_state=seed)
    return {"real": report.verdict.real, "words": str(report.verdict)}


def audits(name, seed, cache):
    """Return counts of suspects for each kind of planted errors."""
    T = _at_most(table(name, seed), AUDITED_ROWS, seed)
    X, found = StandardScaler().fit_transform(T.X), {}
    for errors, how in (ERRORS | (RARE_ERRORS if name in RARE else {})).items():
        given = planted(X, T.y, *how, seed)
        found[errors] = _audited(T, given, seed, f"{name}, {errors}, {seed}", cache)
    if not name.startswith("noise"):
        shuffled = np.random.default_rng(seed).permutation(T.y)
        key = f"{name}, shuffled, {seed}"
        found["shuffled"] = _audited(T, shuffled, seed, key, cache)
    try:
        audit(T.X, T.y, T.groups, random_state=seed)
    except Exception as error:
        found["raised"] = f"{type(error).__name__}: {error}"
    return found


def _audited(T, given, seed, key, cache):
    """Return counts of suspects; save predictions of the models in the cache."""
    codes = np.unique(given, return_inverse=True)[1]
    features = opinions.telling_columns(T.X)
    units = units_of(features, T.groups, codes=codes, owner="audit")
    is_judged = ~np.isin(codes, too_rare(codes, units, int(codes.max()) + 1))
    places = opinions.model_features(features, codes)
    rng, wrong = np.random.RandomState(seed), given != T.y
    said = opinions.opinions(places, codes, units.of_row, rng)
    about = {"codes": codes, "units": units.of_row, "is_judged": is_judged}
    if cache:
        Path(cache).mkdir(parents=True, exist_ok=True)
        np.savez_compressed(Path(cache) / f"{key}.npz", **said, **about, wrong=wrong)
    ranked = discoveries(said, **about, rate=RATE, random_state=rng)
    suspects = ranked.ranking[: ranked.n_flagged]
    counts = {"listed": len(suspects), "right": int(wrong[suspects].sum())}
    return counts | kept(suspects, wrong)


def maps(name, seed, cache):
    """Return accuracies for held-out rows, on maps of candidates and in the data."""
    fitted, new = _halves(name, seed)
    found = {"data": _scores(fitted.X, fitted.y, new.X, new.y)}
    n, n_classes = len(fitted.X), len(np.unique(fitted.y))
    for method in CANDIDATES:
        model = method_named(method).make(2, n, n_classes, 0)
        try:
            model.fit(fitted.X, fitted.y)
        except (ValueError, np.linalg.LinAlgError) as error:
            found[method] = {"failed": str(error)}
            continue
        Z = getattr(model, "embedding_", None)
        Z = model.transform(fitted.X) if Z is None else Z
        found[method] = _scores(Z, fitted.y, model.transform(new.X), new.y)
    return found


def choice(name, seed, cache):
    """Return the method that is chosen on the fitted half."""
    fitted, _ = _halves(name, seed)
    columns = {f"x{j}": x for j, x in enumerate(fitted.X.T)}
    frame = pd.DataFrame(columns | {"class": fitted.y.astype(str)})
    chosen = choose_method(read_table(frame, label="class"), seed=seed)
    return {"method": chosen.method, "words": str(chosen)}


def _scores(Z, y, Z_new, y_new):
    """Return balanced accuracies of five and the best number of neighbors, and gap."""
    n_classes, accuracy = max(y.max(), y_new.max()) + 1, {}
    for k in NEIGHBORS:
        voters = Voters(Z, y, np.arange(len(y)), n_classes, min(k, len(y) - 1))
        judged = voters.judge(Z_new)
        accuracy[k] = balanced_accuracy(judged, y_new, n_classes)
        if k == 5:
            own = voters.judge_themselves()
            seen = balanced_accuracy(own, y, n_classes)
            error = np.hypot(_error(own == y, y), _error(judged == y_new, y_new))
    scores = {"five": accuracy[5], "best": max(accuracy.values())}
    return scores | {"gap": seen - accuracy[5], "gap_error": float(error)}


def _error(hits, y):
    """Return the standard error of a balanced accuracy."""
    classes = [hits[y == c] for c in np.unique(y)]
    # Two hits and two misses are added, so that the error of a class is never 0.
    shares = [(hit.sum() + 2) / (len(hit) + 4) for hit in classes]
    variances = [p * (1 - p) / len(h) for p, h in zip(shares, classes, strict=True)]
    return np.sqrt(np.sum(variances)) / len(classes)


def _halves(name, seed):
    """Return a fitted and a held-out half, on the same scale; copies stay together."""
    T = table(name, seed)
    enough = np.bincount(T.y)[T.y] >= 4
    T = _at_most(Table(T.X[enough], T.y[enough]), 2 * FITTED_ROWS, seed)
    X, y = T.X[:, T.X.max(axis=0) > T.X.min(axis=0)], T.y
    unit = units_of(X, codes=y).of_row
    first = np.unique(unit, return_index=True)[1]
    strata = y[first] if np.bincount(y[first])[y[first]].min() > 1 else None
    half, _ = train_test_split(
        np.arange(len(first)), train_size=0.5, stratify=strata, random_state=seed
    )
    is_fitted = np.isin(unit, half)
    X = StandardScaler().fit(X[is_fitted]).transform(X)
    new = ~is_fitted & np.isin(y, y[is_fitted])
    return Table(X[is_fitted], y[is_fitted]), Table(X[new], y[new])


def _at_most(T, most, seed):
    """Return a table of at most ``most`` rows, in the same order."""
    rows = np.sort(np.random.default_rng(seed).permutation(len(T.X))[:most])
    y = np.unique(T.y[rows], return_inverse=True)[1]
    return Table(T.X[rows], y, None if T.groups is None else T.groups[rows])


TASKS = {"certificate": certificate, "audit": audits, "map": maps, "choice": choice}


def finished(name, task, seed, cache):
    """Return the line of one table, task and seed."""
    start = process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = TASKS[task](name, seed, cache)
    line = {"table": name, "task": task, "seed": seed, "found": found}
    return line | {"seconds": round(process_time() - start, 2)}
