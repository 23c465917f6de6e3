"""Private attributes that compiled code trusts, each with a wrong value."""

import numpy as np
import skops.io
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import CountVectorizer
from tests.faults.attacks.model_bases import X, Y, fitted, written

FAR = 10**9


def _encoder(model):
    return model.named_transformers_["o"]


def _rare(model, **values):
    encoder = _encoder(model)
    n = len(encoder.categories_)
    encoder._infrequent_enabled = True
    for name, value in values.items():
        setattr(encoder, name, [value] * n)


def _counts(*counts):
    return np.array(counts, np.int32)


CHANGES = {
    ("weighted", "more samples than there are"): lambda m: vars(m).update(
        n_samples_fit_=FAR, n_neighbors=10**6
    ),
    ("neighbors", "labels of no class"): lambda m: vars(m).update(_y=m._y + FAR),
    ("neighbors", "fewer features"): lambda m: vars(m).update(_fit_X=m._fit_X[:, :1]),
    ("svc", "counts that cancel out"): lambda m: vars(m).update(
        _n_support=_counts(10**6, -(10**6), len(m.support_))
    ),
    ("svc", "many classes"): lambda m: vars(m).update(
        _n_support=_counts(len(m.support_), *[0] * 500)
    ),
    ("svc", "a kernel of its own"): lambda m: vars(m).update(
        kernel="precomputed", support_=m.support_ + 10**8, shape_fit_=(4, 4)
    ),
    ("svc", "few coefficients"): lambda m: vars(m).update(
        _dual_coef_=m._dual_coef_[:, :1]
    ),
    ("one class", "counts"): lambda m: vars(m).update(_n_support=_counts(10**6, 0)),
    ("svc", "the other machine"): lambda m: vars(m).update(_impl="epsilon_svr"),
    ("columns", "wild codes"): lambda m: _rare(
        m, _default_to_infrequent_mappings=np.full(99, FAR)
    ),
    ("columns", "few columns"): lambda m: vars(_encoder(m)).update(
        _n_features_outs=[1, 1]
    ),
    ("columns", "wild rare ones"): lambda m: _rare(
        m, _infrequent_indices=np.array([FAR]), _default_to_infrequent_mappings=None
    ),
    ("boosted", "another start"): lambda m: vars(m).update(
        init_=DummyClassifier(strategy="prior").fit(X, Y > 0)
    ),
    ("boosted", "more columns"): lambda m: vars(m).update(
        estimators_=np.tile(m.estimators_, (1, 40))
    ),
    ("isolation", "other features"): lambda m: vars(m).update(
        _max_features=4, estimators_features_=[np.arange(1)] * 3
    ),
}
NAMES = [*CHANGES, ("words", "a wild vocabulary")]


def private(rng, folder):
    """A private attribute by which compiled code would leave its arrays."""
    name, what = NAMES[rng.integers(len(NAMES))]
    if name == "words":
        model = CountVectorizer().fit(["a bb", "cc dd"])
        model.vocabulary_ = {"bb": FAR, "dd": 1}
    else:
        model = fitted(name)
        CHANGES[name, what](model)
    written(folder / "a.model", type(model).__name__, skops.io.dumps(model))
    return f"{name}: {what}"
