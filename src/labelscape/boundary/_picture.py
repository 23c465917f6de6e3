"""What can be asked of the picture of a classifier, once it is made."""

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_finite, check_X
from labelscape._core.column_names import check_same_columns, named_as
from labelscape.boundary._agreement import copied, round_trip_r2
from labelscape.boundary._comparison import compared
from labelscape.boundary._grid import regions_on
from labelscape.boundary._projection import checked_map
from labelscape.boundary._strength import Strength


class Picture(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base of ClassifierMap, whose fit makes what is asked here.

    That is ``projection_``, ``embedding_``, ``predictions_``, ``inverse_``,
    ``regions_``, ``classes_``, ``agreement_train_`` and the mean of the objects.
    """

    def transform(self, X):
        """Place objects on the map.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            Objects.

        Returns
        -------
        Z : ndarray of shape (n_new, 2)
            Their places.
        """
        return self._places(self._checked(X))

    def inverse_transform(self, Z):
        """Return which objects belong at places on the map.

        Parameters
        ----------
        Z : array-like of shape (n_places, 2)
            Places, such as a grid. Far from all data they get the object of the closest
            kernel.

        Returns
        -------
        X : ndarray of shape (n_places, n_features)
            Objects.
        """
        self._need_data()
        Z = np.asarray(Z, dtype=np.float64)
        if Z.ndim != 2 or Z.shape[1] != 2 or len(Z) == 0:
            raise ValueError(
                "ClassifierMap: inverse_transform takes places on the map, one or "
                "more, as an array of shape (n_places, 2); got one of shape "
                f"{Z.shape}."
            )
        check_finite(Z, owner="ClassifierMap", name="Z")
        return self.inverse_(Z)

    def predict(self, X):
        """Return what the classifier says of objects: the class of its largest answer.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Classes. Of classifiers whose probabilities are fitted on top of their
            decisions they may differ from those of its own ``predict``.
        """
        return self._labels(self._checked(X))

    def score(self, X, y=None):
        """Return for which share of objects the picture shows what the classifier says.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects that the map was not fitted to.
        y : None
            Not used: the classifier is compared with its picture, not with labels.

        Returns
        -------
        agreement : float
            Between 0 and 1.
        """
        X = self._checked(X)
        again = self.inverse_(self._places(X))
        return float((self._labels(again) == self._labels(X)).mean())

    def round_trip_r2(self, X):
        """Return how much of objects is left after a way to the map and back.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects.

        Returns
        -------
        r2 : float
            1 if nothing is lost, 0 if all come back as the mean of the fitted ones.
        """
        X = self._checked(X)
        return round_trip_r2(X, self.inverse_(self._places(X)), self._mean)

    def nn_agreement(self, X):
        """Return which share of objects has the class of its neighbour on the map.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects that the map was not fitted to.

        Returns
        -------
        agreement : float
            Compare with ``score``: a picture can hardly show more than this.
        """
        X = self._checked(X)
        near = copied(self.embedding_, self.predictions_, self._places(X))
        return float((near == self._labels(X)).mean())

    def compare(self, classifier, X=None):
        """Show another classifier on the same map, and where the two disagree.

        Parameters
        ----------
        classifier : object or callable
            Another classifier of the same features and classes.
        X : array-like of shape (n_samples, n_features), default=None
            Objects to count disagreements on.

        Returns
        -------
        comparison : ClassifierComparison
            Both pictures, where they differ, and how often.
        """
        self._need_data()
        other = Strength(classifier)
        check_same_columns(self, classifier, called=other.called)
        regions = regions_on(self.regions_.x, self.regions_.y, self.inverse_, other)
        if not np.isin(other.classes_, self.classes_).any():
            raise ValueError(
                "ClassifierMap: compare needs classifiers of the same classes; this "
                f"one has {self.classes_.tolist()[:10]}, the other "
                f"{other.classes_.tolist()[:10]}."
            )
        objects = None
        if X is not None:
            X = self._checked(X)
            others = other.labels(other.values(X))
            objects = self._places(X), self._labels(X), others
        return compared(
            self.regions_, regions, (self._strength.name, other.name), objects
        )

    def plot(self, X=None, y=None, **options):
        """Draw the picture.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), default=None
            Objects to show. None: the fitted ones.
        y : array-like of shape (n_samples,), default=None
            Their true classes. Where the classifier is wrong, a point has a ring. None:
            points have the colour of the class that the classifier gives them.
        **options
            As for :func:`labelscape.plotting.plot_classifier_map`.

        Returns
        -------
        matplotlib Axes
        """
        from labelscape.plotting import plot_classifier_map

        return plot_classifier_map(self, X, y, **options)

    @property
    def agreement_(self):
        """The same as ``agreement_train_``."""
        return self.agreement_train_

    @property
    def _strength(self):
        return Strength(self.classifier, self.classes_)

    def _labels(self, X):
        strength = self._strength
        return strength.labels(strength.values(X))

    def _need_data(self):
        check_is_fitted(self)
        if not hasattr(self, "inverse_"):
            raise ValueError(
                "ClassifierMap: this needs the map and its inverse, which are made of "
                "the fitted objects, and the model was saved without them. Use "
                "save(model, path, include_data=True), or fit again."
            )

    def _checked(self, X):
        self._need_data()
        return check_X(self, X, reset=False)

    def _places(self, X):
        Z = self.projection_.transform(named_as(self.projection_, X))
        return checked_map(Z, len(X), type(self.projection_).__name__)

    @property
    def _n_features_out(self):
        return 2
