"""Models whose innards were changed: files of them are refused, and nothing crashes.

A case is a kind of model and a seed. The seed chooses a place in the fitted state, what
is done to it, and whether by hand or by way of a model file. Every public method is
then asked. A batch of cases runs in a child process, so that a crash is a finding and
not the end.
"""

import faulthandler
import json
import os
import subprocess
import sys
import tempfile
import traceback
import warnings
from copy import deepcopy
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from tests.faults.kinds import KINDS, N, X, Y, fitted, new_objects

from labelscape import load, save
from labelscape._core.errors import Message

# Only a case that never ends takes so many seconds, however busy the machine is.
SECONDS = 1800
NOTHING = object()  # in place of an attribute that is taken away


def case(number):
    """Return the kind and the seed of a case; kinds take turns."""
    kinds = list(KINDS)
    return kinds[number % len(kinds)], number // len(kinds)


# Places in a model, as rows of names.


def places(value, above=()):
    """Yield the way to every part of the fitted state of a model."""
    for name, part in parts(value).items():
        yield (*above, name)
        yield from places(part, (*above, name))


def parts(value):
    """Return what a model, a record or a container is made of, by name."""
    if hasattr(value, "steps"):
        return dict(value.steps)
    if isinstance(value, BaseEstimator):
        parameters = value.get_params(deep=False)
        inner = {k: v for k, v in parameters.items() if isinstance(v, BaseEstimator)}
        made = getattr(value, "_rebuilt", ())
        learned = {k: v for k, v in vars(value).items() if k not in parameters}
        return inner | {k: v for k, v in learned.items() if k not in made}
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if hasattr(value, "_fields"):
        return value._asdict()
    if isinstance(value, dict):
        return value
    if isinstance(value, list | tuple):
        return dict(enumerate(value[:3]))
    return {}


def put(value, way, new):
    """Return the value with another one at the end of the way."""
    if not way:
        return new
    name, *rest = way
    changed = put(parts(value)[name], rest, new)
    if hasattr(value, "steps"):
        value.steps = [(n, changed if n == name else step) for n, step in value.steps]
    elif isinstance(value, BaseEstimator) or is_dataclass(value):
        if changed is NOTHING and name in getattr(value, "get_params", dict)():
            raise ValueError("A parameter is always there.")
        if changed is NOTHING:
            delattr(value, name)
        else:
            setattr(value, name, changed)
    elif changed is NOTHING:
        return None
    elif hasattr(value, "_fields"):
        return value._replace(**{name: changed})
    elif isinstance(value, tuple):
        return (*value[:name], changed, *value[name + 1 :])
    else:
        value[name] = changed
    return value


# What is done to a value.

ANY = {
    "taken away": lambda v: NOTHING,
    "None": lambda v: None,
    "text": lambda v: "text",
    "a number": lambda v: 3,
    "a list": lambda v: [1, 2],
    "no dimension": lambda v: np.array(1.0),
    "a matrix": lambda v: np.ones((2, 2)),
    "another model": lambda v: deepcopy(fitted("GRLVQ")),
}
ARRAY = {
    "cut to one": lambda v: v[:1],
    "one less": lambda v: v[:-1],
    "repeated": lambda v: np.concatenate([v, v]),
    "empty": lambda v: v[:0],
    "backwards": lambda v: v[::-1],
    "first twice": lambda v: np.concatenate([v[:1], v[:-1]]),
    "shuffled": lambda v: np.random.default_rng(0).permutation(v),
    "turned": lambda v: v.T.copy(),
    "flat": lambda v: v.ravel(),
    "deeper": lambda v: v[None],
    "narrower": lambda v: v[..., :-1],
    "wider": lambda v: np.concatenate([v, v], axis=-1),
    "objects": lambda v: v.astype(object),
    "as text": lambda v: v.astype(str),
    "no order": lambda v: np.repeat(v, 2, axis=0)[::2],
}
NUMBERS = {
    "NaN": lambda v: spoiled(v, np.nan),
    "infinite": lambda v: spoiled(v, np.inf),
    "all NaN": lambda v: np.full_like(v, np.nan),
    "huge": lambda v: v * v.dtype.type(1e30) * v.dtype.type(1e8),
    "beyond": lambda v: v.astype(np.float64) * 1e200,
    "tiny": lambda v: v * v.dtype.type(1e-30),
    "negative": lambda v: -v,
    "zeros": lambda v: np.zeros_like(v),
    "float32": lambda v: v.astype(np.float32),
    "float16": lambda v: v.astype(np.float16),
    "complex": lambda v: v.astype(complex),
    "foreign bytes": lambda v: v.astype(">f8"),
    "whole": lambda v: v.astype(np.int64),
}
WHOLE = {
    "minus one": lambda v: spoiled(v, -1),
    "far out": lambda v: spoiled(v, 10**9),
    "farthest out": lambda v: spoiled(v, 2**62),
    "one more": lambda v: v + 1,
    "as floats": lambda v: v.astype(float),
    "int32": lambda v: v.astype(np.int32),
    "truths": lambda v: v.astype(bool),
}
TEXTS = {
    "unknown": lambda v: spoiled(v, "z"),
    "all the same": lambda v: np.full_like(v, v.flat[0]),
    "numbers": lambda v: np.arange(len(v)),
}
SCALAR = {
    "NaN": lambda v: np.nan,
    "infinite": lambda v: np.inf,
    "negative": lambda v: -1.5,
    "zero": lambda v: 0,
    "tiny": lambda v: 1e-300,
    "huge": lambda v: 1e300,
    "many": lambda v: 10**9,
    "one more": lambda v: v + 1,
    "truth": lambda v: True,
}
LIST = {
    "empty": lambda v: type(v)(),
    "cut to one": lambda v: v[:1],
    "repeated": lambda v: v + v,
    "of NaN": lambda v: type(v)([np.nan] * len(v)),
    "another kind": lambda v: tuple(v) if isinstance(v, list) else list(v),
}
MODEL = {
    "not fitted": lambda v: type(v)(**v.get_params(deep=False)),
    "a class": lambda v: type(v),
    "its features": lambda v: narrowed(v),
}


def spoiled(values, new):
    """Return a copy with one value changed."""
    values = values.copy()
    if values.dtype.kind == "U":
        values = values.astype("U9")
    values.flat[values.size // 2] = new
    return values


def narrowed(model):
    """Return a model that says it has seen one feature less."""
    model = deepcopy(model)
    model.n_features_in_ = getattr(model, "n_features_in_", 1) - 1
    return model


def changes_of(value):
    """Return what may be done to a value, by name."""
    if isinstance(value, np.ndarray):
        kinds = {"f": NUMBERS, "i": WHOLE, "U": TEXTS, "O": TEXTS}
        return ANY | ARRAY | kinds.get(value.dtype.kind, {})
    if isinstance(value, BaseEstimator):
        return ANY | MODEL
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return ANY | LIST
    if isinstance(value, int | float | np.number) and not isinstance(value, bool):
        return ANY | SCALAR
    return ANY


def changed(kind, seed):
    """Return a changed copy of a model or None, the change, and whether by a file."""
    rng = np.random.default_rng([seed, len(kind), sum(map(ord, kind))])
    model = deepcopy(fitted(kind))
    ways = list(places(model))
    way = ways[rng.integers(len(ways))]
    value = model
    for name in way:
        value = parts(value)[name]
    options = changes_of(value)
    name = list(options)[rng.integers(len(options))]
    # What a Pipeline does with a step that was set by hand is scikit-learn's affair.
    by_file = bool(rng.integers(2)) or hasattr(model, "steps")
    words = f"{'.'.join(map(str, way))} {name}{' in a file' * by_file}"
    try:
        model = put(model, way, options[name](value))
    except (ValueError, TypeError, IndexError, AttributeError, np.exceptions.AxisError):
        return None, words, by_file  # nothing of that kind can be done to it
    return model, words, by_file


# What is asked of a model.


def questions(model):
    """Yield the public methods of a model, each as a name and a function to call."""
    last = model[-1] if hasattr(model, "steps") else model
    new = new_objects(model)
    fitted_X = new_objects(model) if new.shape[1] == N else X
    asked = {
        "predict": (new,),
        "predict_proba": (new,),
        "decision_function": (new,),
        "transform": (new,),
        "support": (new,),
        "score": (new, Y[: len(new)]),
        "explain": (new[0],),
        "pairwise": (new,),
        "kneighbors": (new, 2),
        "tensor": (new,),
        "relevances": (new,),
        "inverse_transform": (np.array([[0.0, 0.1], [1.0, 0.2]]),),
        "round_trip_r2": (new,),
        "nn_agreement": (new,),
        "get_feature_names_out": (),
        "reduced": (1,),
    }
    for name, arguments in asked.items():
        if hasattr(model, name):
            yield name, lambda n=name, a=arguments: getattr(model, n)(*a)
    if hasattr(type(last), "pairwise"):
        yield "pairwise of all", lambda: last.pairwise()
        yield "kneighbors of all", lambda: last.kneighbors(n_neighbors=2)
    if hasattr(type(last), "compare"):
        yield "compare", lambda: model.compare(fitted("GLVQ"), new)
    if hasattr(type(last), "neighbor_width_") or hasattr(last, "_short"):
        yield "transform by pivots", lambda: last.transform(new, method="pivot")
    for name in ("metric_", "relevances_", "relevance_matrix_", "centers_"):
        if isinstance(getattr(type(last), name, None), property):
            yield name, lambda n=name: getattr(last, n)
    if isinstance(getattr(type(last), "metric_", None), property):
        yield "metric_.lengths", lambda: last.metric_.lengths(new)
    yield "repr", lambda: repr(model)
    yield "_repr_html_", lambda: bool(model._repr_html_())
    if hasattr(type(last), "partial_fit"):
        yield "partial_fit", lambda: deepcopy(last).partial_fit(X, Y)
        yield "warm fit", lambda: _warm(last)
    yield "fit", lambda: deepcopy(model).fit(_table_of(fitted_X, last), Y)


def _warm(model):
    model = deepcopy(model).set_params(warm_start=True, max_iter=2)
    return model.fit(X, Y)


def _table_of(found, last):
    """Return the objects of a fit, as dissimilarities where these are wanted."""
    from tests.faults.kinds import D

    return D if found.shape[1] == N else X


def outcome(ask, by_file=True):
    """Return "right", "refused", or what is wrong with an answer, in words.

    Of a model that was changed in memory, any error and any answer will do, unless a
    loop read beside its arrays: with NUMBA_BOUNDSCHECK=1 it says so.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = ask()
    except Exception as error:
        beside = str(error) == "index is out of bounds"
        fine = in_words(error) if by_file else not beside
        return "refused" if fine else f"raw: {last_lines(error)}"
    return "right" if is_finite(answer) or not by_file else "silent NaN"


def in_words(error):
    """Return whether an error was written for people."""
    if isinstance(error, Message | NotFittedError):
        return True
    frames = traceback.extract_tb(error.__traceback__)
    where, text = Path(frames[-1].filename).as_posix(), str(error)
    ours = "/labelscape/" in where and type(error) is not AssertionError
    said = ours and frames[-1].line.lstrip().startswith("raise")
    checked = "/sklearn/utils/" in where and isinstance(error, ValueError)
    return said or checked or text.startswith("save:")


def last_lines(error):
    """Return an error and the last place of ours that it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/labelscape/" in f.filename] or frames
    at = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"
    return f"{type(error).__name__} {str(error)[:80]} ({at})"


def is_finite(answer):
    """Return whether there is no NaN in an answer; infinity stands for "never"."""
    if isinstance(answer, float | np.floating):
        return not np.isnan(answer)
    if isinstance(answer, np.ndarray):
        return answer.dtype.kind not in "fc" or not np.isnan(answer).any()
    if isinstance(answer, dict):
        return all(map(is_finite, answer.values()))
    if isinstance(answer, list | tuple):
        return all(map(is_finite, answer))
    if is_dataclass(answer) and not isinstance(answer, type):
        return all(is_finite(getattr(answer, f.name)) for f in fields(answer))
    return True


def run(number):
    """Return what a case came to: its words, and what is wrong by question."""
    kind, seed = case(number)
    model, words, by_file = changed(kind, seed)
    if model is None:
        return {"case": number, "what": f"{kind}: {words}", "result": "no case"}
    results = {}
    if by_file:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "changed.model"
            results["save"] = outcome(lambda: save(model, path, include_data=True))
            if results["save"] == "right":
                found = []
                results["load"] = outcome(lambda: found.append(load(path)))
                model = found[0] if found else None
            else:
                model = None
    if model is not None:
        results |= {name: outcome(ask, by_file) for name, ask in questions(model)}
    wrong = {k: v for k, v in results.items() if v not in ("right", "refused")}
    refused = "refused" in results.values()
    result = "wrong" if wrong else "refused" if refused else "right"
    return {
        "case": number,
        "what": f"{kind}: {words}",
        "result": result,
        "wrong": wrong,
    }


def _by_kind(first, last):
    # Each child fits a kind once.
    return sorted(range(first, last), key=lambda number: (number % len(KINDS), number))


def findings(first, last, bounds=None):
    """Run cases in child processes; return what each came to.

    ``bounds`` are variables of the environment that make loops look at their indices.

    A child that ends early is a finding of the case that it was at, and another one
    goes on behind it.
    """
    found, numbers = [], _by_kind(first, last)
    while numbers:
        listed = ",".join(map(str, numbers))
        command = [sys.executable, "-m", "tests.faults.changed_models"]
        environment = os.environ | (bounds or {})
        with tempfile.TemporaryFile("w+") as errors:
            child = subprocess.run(
                command,
                input=listed,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=environment,
            )
            errors.seek(0)
            words = errors.read()
        reports = [json.loads(line) for line in child.stdout.splitlines()]
        found += [report for report in reports if "result" in report]
        at = len(numbers)
        if child.returncode != 0:
            begun = [report["begins"] for report in reports if "begins" in report]
            at = numbers.index(begun[-1]) if begun else 0
            result = "hang" if "Timeout" in words else f"crash {child.returncode}"
            kind, seed = case(numbers[at])
            what = f"{kind}: {changed(kind, seed)[1]}"
            wrong = {"child": words[-600:]}
            found.append(
                {"case": numbers[at], "what": what, "result": result, "wrong": wrong}
            )
        numbers = numbers[at + 1 :]
    return found


def main():
    """Run the cases whose numbers come in, and tell of each."""
    for number in map(int, sys.stdin.read().split(",")):
        print(json.dumps({"begins": number}), flush=True)
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        found = run(number)
        faulthandler.cancel_dump_traceback_later()
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
