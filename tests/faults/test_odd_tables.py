"""Tables that are unusual but accepted are audited and tested without an error."""

import numpy as np
import pytest

from labelscape import audit
from labelscape.prototypes import LiRaMLVQ
from labelscape.quality import honesty

KINDS = {
    "few distinct rows": lambda rng, y: rng.normal(size=(5, 3))[
        rng.integers(5, size=60)
    ],
    "copies with other labels": lambda rng, y: np.repeat(
        rng.normal(size=(30, 3)), 2, 0
    ),
    "constant columns": lambda rng, y: rng.normal(size=(60, 4)) * [1, 0, 1, 0] + 1e9,
    "nearly constant": lambda rng, y: 1e-12 * rng.normal(size=(60, 3)) + np.eye(60, 3),
    "one-hot": lambda rng, y: np.eye(4)[rng.integers(4, size=(60, 9))].reshape(60, 36),
    "three binary columns": lambda rng, y: rng.uniform(size=(60, 3)) < [0.5, 0.1, 0.3],
    "huge values": lambda rng, y: (
        rng.normal(size=(60, 4)) * 10.0 ** (40 * np.arange(4))
    ),
    "a far row": lambda rng, y: rng.normal(size=(60, 3)) + 1e12 * np.eye(60)[:, :1],
    "heavy tails": lambda rng, y: rng.standard_cauchy(size=(60, 3)) ** 3,
    "one direction": lambda rng, y: rng.normal(size=(60, 1)) @ rng.normal(size=(1, 5)),
    "the classes themselves": lambda rng, y: np.eye(12)[y],
    "one class of copies": lambda rng, y: rng.normal(size=(60, 3)) * (y[:, None] != 1),
    "mostly zero": lambda rng, y: rng.poisson(0.05, size=(60, 20)),
}
LABELS = {
    "two classes": lambda: np.arange(60) % 2,
    "twelve small classes": lambda: np.sort(np.arange(60) % 12),
    "single rows": lambda: np.r_[np.arange(57) % 2, 2, 3, 4],
}


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("kind", KINDS)
def test_an_odd_table_is_audited_and_tested(kind, labels):
    rng = np.random.default_rng(0)
    y = LABELS[labels]()
    X = np.asarray(KINDS[kind](rng, y), dtype=float)
    assert len(audit(X, y, random_state=0).ranking) == 60
    model = LiRaMLVQ(random_state=0, max_iter=20)
    report = honesty(model, X, y, n_splits=2, n_refits=0, random_state=0)
    assert report.verdict.real in ("yes", "partly", "no", "untested")
