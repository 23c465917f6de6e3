"""The estimator side of growing: parameters, history."""

import numpy as np

from labelscape._core.checks import (
    check_params,
    either,
    function,
    number,
    one_of,
    whole,
)
from labelscape._core.progress import Progress
from labelscape.prototypes._euclidean import EuclideanPrototypes
from labelscape.prototypes._growing import Growth, grow


class GrowingClassifier(EuclideanPrototypes):
    """Base of classifiers that split prototypes while that raises their quality."""

    def _check_parameters(self, **more):
        check_params(
            self,
            alpha=number(above=0.0),
            tol=number(0.0),
            max_prototypes=either(whole(2), one_of(None)),
            grow_patience=whole(0),
            accept=one_of("all", "one"),
            exact_limit=whole(2),
            callback=either(function(), one_of(None)),
            **more,
        )

    def _grow(self, train, space, classes):
        """Return the grown model of the training set, and keep its history."""
        n_classes = len(self.classes_)
        if self.max_prototypes is not None and self.max_prototypes < n_classes:
            raise ValueError(
                f"{type(self).__name__}: max_prototypes must be at least the number of "
                f"classes ({n_classes}), got {self.max_prototypes}: each class needs a "
                "prototype."
            )
        growth = Growth(
            tol=self.tol,
            max_prototypes=self.max_prototypes,
            patience=self.grow_patience,
            one_by_one=self.accept == "one",
            exact_limit=self.exact_limit,
        )
        name = type(self).__name__
        with Progress(name, None, self.verbose, self.callback) as progress:
            model, rounds = grow(train, space, classes, growth, progress)
        quality, n_prototypes, accepted = (
            np.array(column) for column in zip(*rounds, strict=True)
        )
        self.history_ = {
            "quality": quality,
            "n_prototypes": n_prototypes,
            "accepted": accepted,
        }
        self.loss_curve_ = (1.0 - quality).tolist()
        self.n_iter_ = len(rounds)
        return model
