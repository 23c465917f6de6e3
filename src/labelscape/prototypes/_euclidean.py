"""What the classifiers of paper 003 share: prototypes under the Euclidean distance."""

import numpy as np

from labelscape._core.checks import check_labels, check_X
from labelscape._core.distances import exact_squared_distances
from labelscape.prototypes._base import PrototypeClassifier, class_scores
from labelscape.prototypes._explanation import contributions
from labelscape.prototypes._group_means import Vectors
from labelscape.prototypes._growing import Model
from labelscape.prototypes._margin import (
    border_distances,
    confidence,
    margin_scale,
    margins,
)
from labelscape.prototypes._members import first_of_each, members_of, shares
from labelscape.prototypes._temperature import ENOUGH, fitted_temperature


class EuclideanPrototypes(PrototypeClassifier):
    """Base of classifiers whose prototypes stand for groups of training objects."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X, y):
        """Find prototypes for each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Objects, with features on one scale. A sparse matrix is made dense.
        y : array-like of shape (n_samples,)
            Class labels.

        Returns
        -------
        self
        """
        self._check_parameters()
        space, classes = self._check_objects(X, y)
        self.alpha_ = self._absolute_alpha(space, classes)
        self._keep(space, classes, self._find(space, classes))
        return self

    def _check_parameters(self):
        raise NotImplementedError

    def _find(self, space, classes):
        """Return the `Model` of the training objects."""
        raise NotImplementedError

    def _absolute_alpha(self, space, classes):
        """Return alpha in units of one over distance."""
        return self.alpha / margin_scale(space, classes)

    def _distances(self, X):
        return np.sqrt(exact_squared_distances(X, self.prototypes_))

    def _metric_factor(self, prototype):
        return None

    def _confidences(self, X):
        """Return Def. 4.2 for the predicted classes: from 1/2 to 1."""
        D = exact_squared_distances(X, self.prototypes_)
        owner = self._prototype_classes()

        def between(which):
            return self._distances(self.prototypes_[which])

        found = border_distances(D, between, owner, owner[D.argmin(axis=1)])
        return confidence(found, self.alpha_)

    def _contributions(self, x, own, foreign):
        # Differences of squares become differences of distances:
        # d_K - d_J = (d_K^2 - d_J^2) / (d_K + d_J).
        total = self._distances(x[None, :])[0, [own, foreign]].sum()
        terms = contributions(x - self.prototypes_[own], x - self.prototypes_[foreign])
        return terms / total if total > 0.0 else np.zeros_like(x)

    def _check_objects(self, X, y):
        """Return the training objects as a space, and their class indices."""
        X = check_X(self, X, accept_sparse=True)
        X = X.toarray() if hasattr(X, "tocsr") else X
        self.classes_, classes = check_labels(y, len(X), owner=type(self).__name__)
        return Vectors(X.astype(np.float64, copy=False)), classes

    def _measured(self, space, classes, prototypes, owner, group, weights):
        """Return a model with the confidences of the training objects."""
        found = margins(space, prototypes, owner, classes)
        confidences = confidence(found, self.alpha_)
        return Model(group, owner, weights, prototypes, confidences)

    def _keep(self, space, classes, model):
        """Keep prototypes, and what is known of the objects behind them."""
        self.prototypes_ = model.prototypes
        self.prototype_labels_ = self.classes_[model.owner]
        self.quality_ = float(model.quality)
        self.compression_ = len(classes) / len(model.owner)

        self.members_ = members_of(model.group, len(model.owner))
        self.weights_ = shares(model.weights, self.members_)
        apart = space.own_squared_distances(model.prototypes, model.group)
        self.medoids_ = first_of_each(-apart, self.members_)
        self.typical_ = first_of_each(model.confidences, self.members_)
        self.hardest_ = first_of_each(-model.confidences, self.members_)
        self.temperature_ = self._fitted_temperature(space, classes, model.prototypes)

    def _fitted_temperature(self, space, classes, prototypes):
        def block(rows, D):
            return self._class_distances(np.sqrt(D))

        step = -(-len(classes) // ENOUGH)
        d = np.concatenate(space.map(block, prototypes))[::step]
        return fitted_temperature(class_scores(d), classes[::step], np.ones(len(d)))
