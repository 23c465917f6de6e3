"""Fits and tests that run at once, in threads or processes, answer as they do alone."""

import hashlib
import pickle
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import numpy as np
import pytest
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator
from sklearn.decomposition import PCA
from tests.faults.kinds import NAMES, NEW, X, Y, _by_name
from threadpoolctl import threadpool_limits

from labelscape import audit
from labelscape._core import threads
from labelscape._core.threads import ignored, map_blocks
from labelscape._resampling.label_signal import LabelsSayNothing
from labelscape.embeddings import LFDA
from labelscape.geometry import FisherMetric
from labelscape.quality import (
    certify,
    class_continuity,
    class_trustworthiness,
    continuity,
    honesty,
    pointwise_distortion,
    report,
    trustworthiness,
)
from labelscape.quality.measures import ranks

AT_ONCE = 8
ASKED = ("predict", "transform", "predict_proba", "decision_function", "pairwise")


def digest(value):
    """Return a hash of all numbers and texts in a result and its public attributes."""
    hashed = hashlib.sha256()

    def add(value):
        if isinstance(value, np.ndarray) and value.dtype != object:
            hashed.update(str((value.shape, value.dtype)).encode() + value.tobytes())
        elif isinstance(value, np.ndarray | list | tuple):
            hashed.update(str(len(value)).encode())
            for one in value:
                add(one)
        elif isinstance(value, dict):
            add([part for pair in value.items() for part in pair])
        elif hasattr(value, "__dict__") and not callable(value):
            add({k: v for k, v in sorted(vars(value).items()) if k[0] != "_"})
        elif isinstance(value, str | int | float | np.generic | None):
            hashed.update(repr(value).encode())

    add(value)
    return hashed.hexdigest()


def table(seed):
    """Return samples of their own, with the labels of `Y`."""
    return X + np.random.default_rng(seed).normal(size=X.shape)


def model_of(name, seed=0):
    """Return a fitted model of a kind, and its answers."""
    model = _by_name(name).fit(table(seed), Y)
    answers = {ask: getattr(model, ask)(NEW) for ask in ASKED if hasattr(model, ask)}
    return model, answers


def fit(name, seed):
    model, answers = model_of(name, seed)
    learned = {k: v for k, v in vars(model).items() if k.endswith("_")}
    return digest([learned, answers])


def rows(seed):
    return np.vstack([table(seed + 100 * i) for i in range(3)]), np.tile(Y, 3)


WORK = {
    "honesty of LFDA": lambda X, y: honesty(LFDA(), X, y, random_state=0),
    "honesty of PCA": lambda X, y: honesty(PCA(2), X, y, random_state=0),
    "certify": lambda X, y: certify(X, X[:, :2], y, random_state=0),
    "audit": lambda X, y: audit(X, y, random_state=0),
    "report": lambda X, y: report(X, X[:, :2], y),
    "ranks": lambda X, y: (
        trustworthiness(X, X[:, :2]),
        continuity(X, X[:, :2]),
        class_trustworthiness(X, X[:, :2], y),
        class_continuity(X, X[:, :2], y),
        pointwise_distortion(X, X[:, :2], y),
    ),
}


SLOW = ("CrossFittedTSNE", "honesty of PCA", "certify", "audit")


def marked(names):
    return [
        pytest.param(name, marks=pytest.mark.slow if name in SLOW else ())
        for name in names
    ]


def at_once(job, seeds):
    """Return results of one thread per seed; threads switch after each microsecond."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(len(seeds)) as pool:
            return list(pool.map(job, seeds))
    finally:
        sys.setswitchinterval(before)


# Three iterations are few, and scikit-learn's own contexts of warnings meet in threads.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", marked(NAMES))
def test_fits_at_once_give_the_same_bits_as_alone(name):
    alone = [fit(name, seed) for seed in range(AT_ONCE)]
    assert len(set(alone)) == AT_ONCE  # a mistaken table would be noticed
    assert at_once(lambda seed: fit(name, seed), range(AT_ONCE)) == alone


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", marked(WORK))
def test_judgments_at_once_give_the_same_bits_as_alone(name):
    def judge(seed):
        return digest(WORK[name](*rows(seed)))

    alone = [judge(seed) for seed in range(AT_ONCE)]
    assert len(set(alone)) == AT_ONCE
    assert at_once(judge, range(AT_ONCE)) == alone


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_worker_processes_give_the_same_bits_and_return_models():
    alone = {name: fit(name, 0) for name in NAMES}
    done = Parallel(n_jobs=2)(delayed(fit)(name, 0) for name in NAMES)
    assert dict(zip(NAMES, done, strict=True)) == alone
    judged = Parallel(n_jobs=2)(delayed(work)(*rows(0)) for work in WORK.values())
    expected = [digest(work(*rows(0))) for work in WORK.values()]
    assert list(map(digest, judged)) == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_a_pickled_model_answers_the_same(name):
    model, answers = model_of(name)
    copied = pickle.loads(pickle.dumps(model))
    again = {ask: getattr(copied, ask)(NEW) for ask in answers}
    assert digest(again) == digest(answers)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WORK)
def test_a_pickled_judgment_is_the_same(name):
    found = WORK[name](*rows(0))
    assert digest(pickle.loads(pickle.dumps(found))) == digest(found)


def test_a_thread_between_two_looks_at_the_last_ranks_changes_no_number(monkeypatch):
    (mine, _), (others, _) = rows(0), rows(1)
    expected = trustworthiness(mine, mine[:, :2])

    class Interrupted(bytes):
        """The name of a comparison; when it is known, another thread compares."""

        def __ne__(self, other):
            is_new = bytes.__ne__(self, other)
            if not is_new:
                monkeypatch.undo()
                other = Thread(target=trustworthiness, args=(others, others[:, 2:]))
                other.start()
                other.join()
            return is_new

    class Named:
        def __init__(self, *args, **options):
            self._hash = hashlib.blake2b(*args, **options)
            self.update = self._hash.update

        def digest(self):
            return Interrupted(self._hash.digest())

    monkeypatch.setattr(ranks, "blake2b", Named)
    assert trustworthiness(mine, mine[:, :2]) == expected
    assert ranks.blake2b is hashlib.blake2b  # the other thread has been there


class Waiting(BaseEstimator):
    """A map that begins to fit, waits, and ends."""

    def __init__(self, begun=None, go_on=None):
        self.begun, self.go_on = begun, go_on

    def __sklearn_clone__(self):
        return self

    def fit(self, X, y=None):
        self.begun.set()
        assert self.go_on.wait(60)
        return self

    def transform(self, X):
        return X[:, :2]


@pytest.fixture
def two_judgments():
    """Yield two judgments in threads that overlap: begin both, end the first first."""
    shown, filters = warnings.showwarning, list(warnings.filters)
    models = [Waiting(Event(), Event()) for _ in range(2)]
    pool = ThreadPoolExecutor(2)

    def begin(model):
        work = pool.submit(honesty, model, *rows(0), random_state=0)
        assert model.begun.wait(60)
        return work

    def end(model, work):
        model.go_on.set()
        work.result(60)

    yield models, begin, end
    pool.shutdown()
    warnings.showwarning, warnings.filters[:] = shown, filters


def noise():
    return np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2


def test_after_judgments_that_overlap_warnings_are_shown_as_before(two_judgments):
    (first, second), begin, end = two_judgments
    before = warnings.showwarning
    one, two = begin(first), begin(second)
    end(first, one)
    end(second, two)
    assert warnings.showwarning is before
    for category in (LabelsSayNothing, RuntimeWarning, UserWarning):
        with pytest.warns(category, match="later"):
            warnings.warn("later", category, stacklevel=1)


def test_a_judgment_in_another_thread_hides_no_warning(two_judgments):
    (model, _), begin, end = two_judgments
    work = begin(model)
    with pytest.raises(LabelsSayNothing):  # in tests, warnings are errors
        LFDA().fit(*noise())
    end(model, work)


def test_helpers_ignore_what_their_caller_ignores(monkeypatch):
    monkeypatch.setattr(threads, "n_threads", lambda: 3)

    def warned(_):
        warnings.warn("3 features", RuntimeWarning, stacklevel=1)

    with ignored(RuntimeWarning):
        map_blocks(warned, range(30))
    with pytest.raises(RuntimeWarning, match="3 features"):
        map_blocks(warned, range(30))


def test_k_means_of_a_metric_does_not_depend_on_the_number_of_threads():
    rng = np.random.default_rng(0)
    points, classes = rng.normal(size=(3000, 8)), np.arange(3000) % 2
    found = []
    for count in (1, 4):
        metric = FisherMetric(
            parzen_points=40, parzen_selection="kmeans", random_state=0
        )
        with threadpool_limits(count, user_api="openmp"):
            metric.fit(points, classes)
        found.append(metric.parzen_points_[0].tobytes())
    assert found[0] == found[1]
