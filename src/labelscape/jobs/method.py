"""The record of a method: its estimator, its parameters, and its properties."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:  # importing NumPy would slow --help down
    from labelscape._core.params import Rule

Group = Literal["map", "prototypes", "classifier"]

DIMENSIONS = "n_components"  # parameter of the number of dimensions
# Parameters that are set elsewhere (such as the seed), or are useful only in code.
TECHNICAL = {
    *("callback", "copy", "metric", "missing", "n_components", "n_jobs"),
    *("random_state", "verbose", "warm_start", "weights"),
}
# Separates the names of an inner estimator and its parameter, as in ``metric__rule``.
BETWEEN = "__"

# Citations for estimators of another library.
SCIKIT_LEARN = (
    "F. Pedregosa et al. Scikit-learn: machine learning in Python. JMLR 12, 2011."
)
_REFERENCES = re.compile(r"^References\n-+\n(.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)


def split(part: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters of a part, without its prefix, and all others."""
    start = part + BETWEEN
    own = {k[len(start) :]: v for k, v in given.items() if k.startswith(start)}
    return own, {k: v for k, v in given.items() if not k.startswith(start)}


@dataclass(frozen=True)
class Part:
    """An estimator that is a parameter of another estimator."""

    name: str  # its parameter name in the outer estimator
    # The package and the name of its class.
    room: str
    estimator: str
    # The parameters that users can set, the most important first.
    parameters: tuple[str, ...]

    @property
    def kind(self) -> type[Any]:
        """The class of the estimator."""
        return _class_of(self)

    def rules(self) -> "dict[str, Rule]":
        """Return the allowed values of each parameter, by name without the prefix."""
        from labelscape._core.params import rules_of

        known = rules_of(self.kind)
        return {name: known[name] for name in self.parameters}

    def rules_outside(self) -> "dict[str, Rule]":
        """Return the allowed values of each parameter, by name with the prefix."""
        return {self.outside(name): rule for name, rule in self.rules().items()}

    def outside(self, parameter: str) -> str:
        """Return the name of a parameter with the prefix, such as ``metric__rule``."""
        return f"{self.name}{BETWEEN}{parameter}"


def _class_of(record: "Part | Method") -> type[Any]:
    kind: type[Any] = getattr(import_module(record.room), record.estimator)
    return kind


@dataclass(frozen=True)
class Method:
    """A method with its name and all its settings.

    Attributes
    ----------
    name, title : str
        Name on the command line, and title for display.
    estimator, room : str
        The name of the class, and the package with the class.
    group : {"map", "prototypes", "classifier"}
        What the method computes.
    uses_labels : bool
        Whether the method uses the classes.
    is_start : bool
        Whether it is recommended as a first method to try.
    is_compared : bool
        Whether `compare_methods` includes it by default.
    is_classifier : bool
        Whether ``labelscape classify`` offers it.
    is_cross_fitted : bool
        Whether the class probabilities of a row are from models fitted without it.
    places_alone : bool
        Whether a saved map can place new rows without the training rows.
    fits_rows : int or None
        Maximum number of rows in the fit; the other rows are placed. None: all.
    is_slow : bool
        Whether the map is tested on fewer rows than other maps: at most 1,500.
    presets : mapping
        Defaults that differ from those of the estimator.
    part : Part or None
        An estimator that is a parameter; its own parameters can be set, too.

    Examples
    --------
    >>> from labelscape.jobs import method_named
    >>> sammon = method_named("sammon")
    >>> sammon.title, sammon.uses_labels, sammon.kind.__name__
    ("Sammon's mapping", False, 'Sammon')
    >>> sammon.keeps
    'Preserves all distances, especially short ones; labels are not used.'
    """

    name: str
    title: str
    estimator: str
    room: str = "labelscape.embeddings"
    group: Group = "map"
    uses_labels: bool = True
    is_start: bool = False
    is_compared: bool = False
    is_classifier: bool = False
    is_cross_fitted: bool = False
    places_alone: bool = False
    fits_rows: int | None = None
    is_slow: bool = False
    presets: Mapping[str, Any] = field(default_factory=dict, hash=False)
    part: Part | None = None

    @property
    def kind(self) -> type[Any]:
        """The class of the estimator."""
        return _class_of(self)

    @property
    def keeps(self) -> str:
        """What the map preserves, in one sentence."""
        from labelscape._core.estimator import what_it_keeps

        return what_it_keeps(self.kind)

    @property
    def reference(self) -> str:
        """The citation, from the docstring of the estimator or of a base class."""
        for kind in self.kind.__mro__:
            if kind.__module__.startswith("labelscape."):
                section = _REFERENCES.search(inspect.cleandoc(kind.__doc__ or ""))
                if section:
                    return " ".join(section[1].split())
        return SCIKIT_LEARN

    def rules(self) -> "dict[str, Rule]":
        """Return the parameters that users can set, with their allowed values."""
        from labelscape._core.params import rules_of

        if self.room.startswith("sklearn."):
            return rules_of_others().get(self.name, {})
        own = {
            name: rule
            for name, rule in rules_of(self.kind).items()
            if name not in TECHNICAL
            and any(part.kind != "other" for part in rule.alternatives)
        }
        return own | (self.part.rules_outside() if self.part else {})

    def own_names(self) -> list[str]:
        """Return the names of the estimator's parameters, without those of its part."""
        return [*inspect.signature(self.kind).parameters]

    def names(self) -> list[str]:
        """Return the names of all parameters, including parameters of its part."""
        return [*self.own_names(), *(self.part.rules_outside() if self.part else ())]

    def new(self, parameters: Mapping[str, Any], seed: int) -> Any:
        """Return the unfitted estimator with its parameters and seed."""
        estimator = self.set_parameters(self.kind(**self._presets()), parameters)
        if "random_state" in estimator.get_params():
            estimator.set_params(random_state=seed)
        return estimator

    def set_parameters(self, estimator: Any, parameters: Mapping[str, Any]) -> Any:
        """Set parameters of an estimator of this method, and of its part."""
        from labelscape._core.errors import InputError, ParameterError

        if not isinstance(parameters, Mapping):
            raise ParameterError(self.title, "parameters", parameters, "a dict")
        known = self.names()
        for name in parameters:
            if name not in known:
                raise InputError(
                    f"there is no parameter {name!r}. Available: {', '.join(known)}.",
                    owner=self.title,
                    parameter="parameters",
                )
        if self.part and split(self.part.name, parameters)[0]:
            inside = getattr(estimator, self.part.name) or self.usual_part()
            estimator.set_params(**{self.part.name: inside})
        return estimator.set_params(**parameters)

    def usual_part(self) -> Any:
        """Return the default estimator of the part."""
        from labelscape.embeddings._internal import usual_metric

        return self._presets().get("metric") or usual_metric()

    def _presets(self) -> dict[str, Any]:
        """Return the defaults that differ from the defaults of the estimator."""
        if not self.is_cross_fitted:
            return dict(self.presets)
        from labelscape.geometry import FisherMetric

        return {"metric": FisherMetric(estimator="auto"), **self.presets}

    def make(self, n_components: int, n_rows: int, n_classes: int, seed: int) -> Any:
        """Return the unfitted estimator for a table of these sizes."""
        from labelscape._core.params import check_argument, whole

        given = {"n_components": n_components, "n_rows": n_rows, "n_classes": n_classes}
        for name, value in given.items():
            check_argument(self.title, name, value, whole(1))
        if self.name == "lda":  # LDA has n_classes - 1 directions
            n_components = min(n_components, n_classes - 1)
        estimator = self.new({}, seed)
        if "perplexity" in estimator.get_params():
            from labelscape.embeddings._internal import usual_perplexity

            # The test fits the map to half of the rows. With the same perplexity, its
            # maps are comparable.
            estimator.set_params(perplexity=int(usual_perplexity(n_rows // 2)))
        return estimator.set_params(n_components=n_components)

    def check_dimensions(
        self, n_components: int, n_features: int, n_classes: int
    ) -> None:
        """Raise an error if the map cannot have this number of dimensions."""
        from labelscape._core.errors import InputError, Setting
        from labelscape._core.params import check_argument, whole

        for name, value in (("n_features", n_features), ("n_classes", n_classes)):
            check_argument(self.title, name, value, whole(1))
        most, why = n_features, f"there are {n_features} features"
        if self.name == "lda" and n_classes - 1 < n_features:
            most = n_classes - 1
            why = f"it separates {n_classes} classes along {most} directions"
        if not self.has_dimensions(n_components):  # also checks the value
            most, why = 2, "its maps have at most 2 dimensions"
        if n_components > most:
            raise InputError(
                f"{why}, so it cannot draw {n_components} dimensions. Leave out ",
                Setting(DIMENSIONS),
                ", or choose another method.",
                owner=self.title,
                parameter=DIMENSIONS,
            )

    def has_dimensions(self, n_components: int) -> bool:
        """Return whether maps of this method can have this number of dimensions.

        Examples
        --------
        >>> from labelscape.jobs import method_named
        >>> method_named("sammon").has_dimensions(3)
        True
        >>> method_named("tsne").has_dimensions(3)
        False
        """
        from labelscape._core.params import check_argument, rules_of, whole

        check_argument(self.title, DIMENSIONS, n_components, whole(1))
        rule = rules_of(self.kind).get(DIMENSIONS)
        return rule is None or rule.holds(n_components)


def rules_of_others() -> "dict[str, dict[str, Rule]]":
    """Return the allowed values of parameters of scikit-learn's estimators."""
    from labelscape._core.params import either, flag, number, one_of, whole

    strength = number(above=0.0)
    return {
        "lda": {"shrinkage": either(number(0.0, 1.0), one_of("auto", None))},
        "nca": {"max_iter": whole(1)},
        "pca": {"whiten": flag()},
        "svm": {
            "C": strength,
            "kernel": one_of("linear", "poly", "rbf", "sigmoid"),
            "gamma": either(number(0.0), one_of("scale", "auto")),
        },
        "forest": {
            "n_estimators": whole(1),
            "max_depth": either(whole(1), one_of(None)),
        },
        "logistic": {"C": strength},
    }
