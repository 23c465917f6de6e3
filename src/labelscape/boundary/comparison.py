"""Agreement of decision regions with the classifier; comparison of classifiers."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.checks import check_same_columns
from labelscape._core.errors import InputError, readable
from labelscape._core.types import Array
from labelscape.boundary._classifier_output import ClassScores
from labelscape.boundary._grid import Regions, regions_on
from labelscape.boundary._inverse import copied, round_trip_r2


class ClassifierComparison(NamedTuple):
    """Two classifiers on one map.

    Attributes
    ----------
    first, second : Regions
        The decision regions of each classifier.
    names : tuple of str
        The names of the classifiers.
    differ : ndarray of shape (n_rows, n_columns)
        Cells of the grid where the classifiers predict different classes.
    share : float
        Share of the cells where the classifiers differ, among all cells near data. For
        the share of samples, see ``share_of_samples``.
    share_of_samples : float or None
        Share of the given samples for which the classifiers disagree.
    positions : ndarray of shape (n_samples, 2) or None
        Positions of the given samples on the map.
    samples_differ : ndarray of shape (n_samples,) or None
        Whether the classifiers disagree, for each of the given samples.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.decomposition import PCA
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from labelscape.boundary import ClassifierMap
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    >>> model = ClassifierMap(GaussianNB().fit(X, y), PCA(2), resolution=50).fit(X)
    >>> comparison = model.compare(tree, X)
    >>> comparison.names
    ('GaussianNB', 'DecisionTreeClassifier')
    >>> round(comparison.share_of_samples, 3)
    0.04
    """

    first: Regions
    second: Regions
    names: tuple[str, str]
    differ: np.ndarray
    share: float
    share_of_samples: float | None = None
    positions: np.ndarray | None = None
    samples_differ: np.ndarray | None = None

    def __repr__(self):
        first, second = map(readable, self.names)
        words = f"{first} and {second} differ on {self.share:.0%} of the map near data"
        if self.share_of_samples is not None:
            words += f", and for {self.share_of_samples:.1%} of the samples"
        return words

    def plot(self, **options) -> Any:
        """Draw the regions of both classifiers and where they differ.

        Parameters
        ----------
        **options
            As for :func:`labelscape.plotting.plot_classifier_comparison`.

        Returns
        -------
        matplotlib Figure
        """
        from labelscape.plotting import plot_classifier_comparison

        return plot_classifier_comparison(self, **options)


class PictureAgreement:
    """Mixin of `ClassifierMap`: agreement of its regions with classifiers."""

    # What the map has, and these methods use.
    agreement_train_: float
    classes_: Array
    coloring_: str
    embedding_: Array
    inverse_: Callable[[Array], Array]
    predictions_: Array
    regions_: Regions
    _checked: Callable[[Any], Array]
    _checked_places: Callable[[str, Any], Array]
    _labels: Callable[[Array], Array]
    _mean: Array
    _need_data: Callable[[], None]
    _places: Callable[[Array], Array]

    @property
    def _scores(self) -> Any:
        """The scores of the classifier, which the map knows."""
        raise NotImplementedError

    @property
    def agreement_(self):
        """The value of ``agreement_train_``."""
        return self.agreement_train_

    def score(self, X, y=None) -> float:
        """Return the share of samples that lie in the region of their predicted class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples that were not used to fit the map.
        y : None
            Not used: regions are compared with the classifier, not with labels.

        Returns
        -------
        agreement : float
            Share of the samples, between 0 and 1.
        """
        return float(self.agrees(X).mean())

    def agrees(self, X) -> Array:
        """Return which samples lie in the region of their predicted class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples that were not used to fit the map.

        Returns
        -------
        agrees : ndarray of bool of shape (n_samples,)
            Whether a sample lies in the region of its predicted class.
        """
        X = self._checked(X)
        return self._shown(self._places(X)) == self._labels(X)

    def shown_at(self, Z) -> Any:
        """Return the class of the region at each given position on the map.

        Parameters
        ----------
        Z : array-like of shape (n_positions, 2)
            Positions.

        Returns
        -------
        labels : ndarray of shape (n_positions,)
            Classes.
        """
        return self._shown(self._checked_places("shown_at", Z))

    def round_trip_r2(self, X) -> float:
        """Return the R² of samples after mapping and inverse mapping.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        r2 : float
            1 if nothing is lost, 0 if every sample becomes the mean.
        """
        X = self._checked(X)
        return round_trip_r2(X, self.inverse_(self._places(X)), self._mean)

    def nn_agreement(self, X) -> float:
        """Return the share of samples predicted like their nearest neighbor on the map.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples that were not used to fit the map.

        Returns
        -------
        agreement : float
            Share of the samples; ``score`` can hardly be higher.
        """
        X = self._checked(X)
        near = copied(self.embedding_, self.predictions_, self._places(X))
        return float((near == self._labels(X)).mean())

    def compare(self, classifier, X=None) -> Any:
        """Compare the classifier with another one on the same map.

        Parameters
        ----------
        classifier : object or callable
            Another classifier of the same features and classes.
        X : array-like of shape (n_samples, n_features), default=None
            Samples on which disagreements are counted.

        Returns
        -------
        comparison : ClassifierComparison
            The regions of both classifiers, where they differ, and how often.
        """
        self._need_data()
        other = ClassScores(classifier)
        check_same_columns(self, classifier, called=other.called)
        regions = regions_on(self.regions_.x, self.regions_.y, self.inverse_, other)
        if not np.isin(other.classes_, self.classes_).any():
            raise InputError(
                "compare needs classifiers of the same classes; this "
                f"one has {self.classes_.tolist()[:10]}, the other "
                f"{other.classes_.tolist()[:10]}.",
                owner="ClassifierMap",
            )
        own = self.regions_
        if self.coloring_ == "neighbors":
            # Both classify the same samples: those of the inverse map at each position.
            own = regions_on(own.x, own.y, self.inverse_, self._scores)
        differ, near = own.labels != regions.labels, ~own.far
        share = float(differ[near].mean()) if near.any() else 0.0
        names = self._scores.name, other.name
        comparison = ClassifierComparison(own, regions, names, differ, share)
        if X is None:
            return comparison
        X = self._checked(X)
        apart = self._labels(X) != other.labels(other.values(X))
        return comparison._replace(
            share_of_samples=float(apart.mean()),
            positions=self._places(X),
            samples_differ=apart,
        )

    def _shown(self, Z):
        if self.coloring_ == "neighbors":
            return copied(self.embedding_, self.predictions_, Z)
        return self._labels(self.inverse_(Z))
