"""Callbacks, links to the guide and routed metadata, as in scikit-learn."""

import tomllib
import warnings
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.faults.kinds import X, Y, _by_name

import labelscape
from labelscape._core.estimator import DOCUMENTATION, Estimator
from labelscape._model_file._registry import model_named, model_names
from labelscape.embeddings import (
    LFDA,
    CrossFittedTSNE,
    FisherKernelTSNE,
    Sammon,
)
from labelscape.prototypes import GLVQ, GMLVQ

try:
    from sklearn.callback import ProgressBar, ScoringMonitor
except ImportError:
    ProgressBar = None
needs_callbacks = pytest.mark.skipif(
    ProgressBar is None, reason="scikit-learn has callbacks from 1.9 on"
)
FITTED = [
    name
    for name in model_names()
    if issubclass(model_named(name), Estimator) and name != "TableMap"
]


class Listener:
    """A callback that records its calls."""

    def __init__(self, stop_after=np.inf):
        self.heard, self.stop_after = [], stop_after

    def setup(self, estimator, context):
        self.heard.append("setup")

    def teardown(self, estimator, context):
        self.heard.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.heard.append(("begin", context.task_name, context.task_id))

    def on_fit_task_end(self, estimator, context):
        self.heard.append(("end", context.task_name, context.task_id))
        return sum(self.ended) >= self.stop_after

    @property
    def ended(self):
        return [words[:2] == ("end", "iteration") for words in self.heard]


@needs_callbacks
@pytest.mark.parametrize("name", FITTED)
def test_callbacks_hear_all_that_is_fitted_and_change_nothing(name):
    model, alone, listener = _by_name(name), _by_name(name), Listener()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alone.fit(X, Y)
        model.set_callbacks(listener).fit(X, Y)
    heard = listener.heard
    assert heard[0] == "setup"
    assert heard[1][:2] == ("begin", "fit")
    assert heard[-2][:2] == ("end", "fit")
    assert heard[-1] == "teardown"
    begun = [words[1:] for words in heard if words[0] == "begin"]
    ended = [words[1:] for words in heard if words[0] == "end"]
    assert sorted(begun) == sorted(ended)
    made_when_asked = {"_skl_callbacks", *getattr(model, "_rebuilt", ())}
    assert vars(model).keys() ^ vars(alone).keys() <= made_when_asked
    if hasattr(model, "embedding_"):
        np.testing.assert_array_equal(model.embedding_, alone.embedding_)


@needs_callbacks
@pytest.mark.parametrize("model", [GMLVQ(), GLVQ(solver="sgd"), Sammon()])
def test_a_callback_stops_a_fit(model):
    listener = Listener(stop_after=2)
    model.set_callbacks(listener).fit(X, Y)
    assert model.n_iter_ == 2


@needs_callbacks
def test_scores_of_each_iteration_come_out_of_a_grid_search():
    monitor = ScoringMonitor(scoring="accuracy")
    model = GMLVQ(max_iter=4).set_callbacks(monitor)
    search = GridSearchCV(model, {"n_components": [1, 2]}, cv=2).fit(X, Y)
    log = monitor.get_logs().data_as_pandas
    iterations = log[log.task_name == "iteration"]
    assert len(iterations) >= 2 * 2 * 2
    assert iterations.accuracy.between(0, 1).all()
    last = log.accuracy.iloc[-1]
    assert last == search.best_estimator_.score(X, Y)


@needs_callbacks
def test_what_is_scored_is_the_model_so_far():
    monitor = ScoringMonitor(scoring="accuracy")
    model = GMLVQ(max_iter=5).set_callbacks(monitor).fit(X, Y)
    scores = [row["accuracy"] for row in monitor.get_logs().data]
    np.testing.assert_allclose(scores[:-1], model.accuracy_curve_)
    assert scores[-1] == model.score(X, Y)


@needs_callbacks
def test_a_progress_bar_of_a_pipeline_reaches_our_estimators(capsys):
    pipeline = make_pipeline(LFDA(n_components=2), GLVQ(max_iter=3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pipeline.set_callbacks(ProgressBar()).fit(X, Y)
    assert "GLVQ" in capsys.readouterr().out


@needs_callbacks
def test_a_model_file_forgets_callbacks(tmp_path):
    model = GLVQ(max_iter=3).set_callbacks(Listener()).fit(X, Y)
    labelscape.save(model, tmp_path / "m")
    assert not hasattr(labelscape.load(tmp_path / "m"), "_skl_callbacks")


@pytest.mark.parametrize("name", FITTED)
def test_an_estimator_in_a_notebook_links_to_its_page(name):
    model = _by_name(name)
    room = type(model).__module__.split(".")[1]
    assert getattr(getattr(labelscape, room), name) is type(model)
    page = f"{DOCUMENTATION}generated/labelscape.{room}.{name}.html"
    assert f'href="{page}"' in model._repr_html_()


def test_the_guide_is_where_the_package_says():
    project = Path(__file__).parents[2] / "pyproject.toml"
    urls = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["urls"]
    assert urls["Documentation"] == DOCUMENTATION


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def test_weights_reach_a_model_in_a_pipeline_and_a_search(routing):
    weights = np.random.default_rng(1).uniform(0.2, 2.0, size=len(X))
    model = GMLVQ(max_iter=5).set_fit_request(sample_weight=True)
    model.set_score_request(sample_weight=True)
    pipeline = make_pipeline(
        StandardScaler().set_fit_request(sample_weight=False), model
    )
    pipeline.fit(X, Y, sample_weight=weights)
    alone = GMLVQ(max_iter=5).fit(
        StandardScaler().fit_transform(X), Y, sample_weight=weights
    )
    np.testing.assert_array_equal(pipeline[-1].prototypes_, alone.prototypes_)
    search = GridSearchCV(model, {"n_components": [1, 2]}, cv=2)
    search.fit(X, Y, sample_weight=weights)
    assert search.best_score_ > 0.5


def test_groups_reach_the_splitter_and_the_cross_fitted_map(routing):
    groups = np.arange(len(X)) // 2
    seen = []

    class Noted(FisherKernelTSNE):
        def fit(self, X, y=None, groups=None):
            seen.append(groups)
            return self

        def score(self, X, y):
            return 0.0

    model = Noted().set_fit_request(groups=True)
    params = {"groups": groups}
    cross_validate(model, X, Y, cv=GroupKFold(3), params=params)
    assert [len(np.unique(part)) for part in seen] == [8, 8, 8]


def test_groups_reach_a_map_before_a_classifier(routing):
    seen = []

    class Noted(CrossFittedTSNE):
        def fit_transform(self, X, y=None, groups=None, correct_for=None):
            seen.append(groups)
            return X[:, :2]

    steps = Noted().set_fit_request(groups=True), LogisticRegression()
    make_pipeline(*steps).fit(X, Y, groups=Y)
    np.testing.assert_array_equal(seen[0], Y)


@pytest.mark.parametrize("name", ["sample_weight", "groups"])
@pytest.mark.parametrize("kind", FITTED)
def test_data_beside_the_rows_are_used_if_requested_or_refused(routing, kind, name):
    model, given = _by_name(kind), {name: np.ones(len(X), dtype=int)}
    if name not in signature(model.fit).parameters:
        with pytest.raises(TypeError, match=f"{name}.* not routed to any object"):
            make_pipeline(model).fit(X, Y, **given)
        return
    with pytest.raises(ValueError, match=f"{name}.* not explicitly set as requested"):
        make_pipeline(model).fit(X, Y, **given)


SEARCHED = [
    kind
    for kind in FITTED
    if hasattr(model_named(kind), "transform") or hasattr(model_named(kind), "predict")
]


def search_of(kind, n_jobs=None):
    """Return a fitted search over a pipeline with a classifier, or a map before one."""
    model = _by_name(kind)
    if hasattr(model, "perplexity"):
        model.set_params(perplexity=2)
    last = [] if hasattr(model, "predict") else [LogisticRegression()]
    pipeline = make_pipeline(StandardScaler(), model, *last)
    values = {"n_components": [1, 2]} if hasattr(model, "n_components") else {}
    grid = {f"{pipeline.steps[1][0]}__{name}": tried for name, tried in values.items()}
    search = GridSearchCV(pipeline, grid, cv=2, error_score="raise", n_jobs=n_jobs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # three iterations are few
        return search.fit(X, Y)


@pytest.mark.parametrize("kind", SEARCHED)
def test_a_search_takes_each_kind_in_a_pipeline(kind):
    search = search_of(kind)
    assert search.best_score_ > 0.4
    assert search.best_estimator_.score(X, Y) > 0.4


@pytest.mark.slow
def test_a_search_in_processes_finds_the_same_scores():
    for kind in ("GMLVQ", "LFDA", "KernelMap"):
        one, two = (search_of(kind, n_jobs).cv_results_ for n_jobs in (1, 2))
        np.testing.assert_array_equal(one["mean_test_score"], two["mean_test_score"])
