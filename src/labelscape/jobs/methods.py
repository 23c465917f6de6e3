"""The methods that can be asked for by name: one record each, for every host.

The command line, the app's cards, comparisons and the docs read what stands here, so
that a new method is one record. What it keeps, its class says itself (``_keeps``), and
what its parameters may be, too (``_rules``).
"""

import inspect
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, get_args

from labelscape.jobs._settable import (
    CROSS_FITTED,
    FISHER,
    PICTURE,
    Part,
    rules_of_others,
    split,
)

if TYPE_CHECKING:  # they need NumPy, for which --help should not wait
    from labelscape._core.rules import Rule

Group = Literal["map", "prototypes", "classifier"]

# In place of a method's name: what `choose_method` finds.
AUTO = "auto"
EMBEDDINGS, PROTOTYPES = "labelscape.embeddings", "labelscape.prototypes"

# Steps of t-SNE after which measures of a map change by .005 at most, and all cores.
TSNE_STEPS = {"early_exaggeration_iter": 100, "max_iter": 300, "n_jobs": -1}
CROSS_FITTED_STEPS = {"early_exaggeration_iter": 150, "max_iter": 350, "n_jobs": -1}

# The parameter that says how many dimensions a map has.
DIMENSIONS = "n_components"

# Asked for elsewhere (the seed), or of no use to those who do not write code.
TECHNICAL = {
    "callback",
    "copy",
    "metric",
    "missing",
    "n_components",
    "n_jobs",
    "random_state",
    "sgd_params",
    "verbose",
    "warm_start",
    "weights",
}


@dataclass(frozen=True)
class Method:
    """A method by its name, and all that hosts know of it.

    Attributes
    ----------
    name, title : str
        What it is called on the command line, and by people.
    group : {"map", "prototypes", "classifier"}
        What it makes of a table.
    room, estimator : str
        Where its class lives, and what that is called.
    uses_labels : bool
        Whether the classes have a say.
    is_start : bool
        Whether it is good to begin with.
    is_compared : bool
        Whether it is one of those that a comparison is of if nobody says otherwise.
    is_classifier : bool
        Whether ``labelscape classify`` offers it.
    is_cross_fitted : bool
        Whether class probabilities come from models that never saw the object.
    places_alone : bool
        Whether it places new rows without those that it was fitted to.
    fits_rows : int or None
        It is fitted to so many rows at most, because more would take long, and the
        others are placed; None: to all.
    is_slow : bool
        Whether it is judged on fewer rows than others.
    presets : mapping
        Parameters whose defaults are other ones here.
    part : Part or None
        An estimator inside it that people set, too.

    Examples
    --------
    >>> sammon = method_named("sammon")
    >>> sammon.title, sammon.uses_labels, sammon.kind.__name__
    ("Sammon's mapping", False, 'Sammon')
    >>> sammon.keeps
    'Keeps all distances, the short ones most of all; labels have no say.'
    """

    name: str
    title: str
    group: Group
    room: str
    estimator: str
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
        found: type[Any] = getattr(import_module(self.room), self.estimator)
        return found

    @property
    def keeps(self) -> str:
        """What it keeps, in one sentence."""
        from labelscape._core.keeps import what_it_keeps

        if self.is_cross_fitted:
            return str(self.kind._keeps_cross_fitted)
        return what_it_keeps(self.kind)

    def rules(self) -> "dict[str, Rule]":
        """Return the parameters that people set, and what each may be."""
        from labelscape._core.rules import rules_of

        if self.room.startswith("sklearn."):
            return rules_of_others().get(self.name, {})
        own = {
            name: rule
            for name, rule in rules_of(self.kind).items()
            if name not in TECHNICAL
            and any(part.kind != "other" for part in rule.alternatives)
        }
        return own | (self.part.rules_outside() if self.part else {})

    def new(self, parameters: Mapping[str, Any], seed: int) -> Any:
        """Return the estimator with its parameters and seed, not yet fitted."""
        estimator = self._set(self.kind(**self._presets()), parameters)
        if "random_state" in estimator.get_params():
            estimator.set_params(random_state=seed)
        return estimator

    def _set(self, estimator: Any, parameters: Mapping[str, Any]) -> Any:
        """Give an estimator of this method parameters, those of its part as well."""
        self._check_names(parameters)
        if self.part and split(self.part.name, parameters)[0]:
            inside = getattr(estimator, self.part.name) or self.usual_part()
            estimator.set_params(**{self.part.name: inside})
        return estimator.set_params(**parameters)

    def usual_part(self) -> Any:
        """Return the estimator inside it, as it is if nobody says otherwise."""
        from labelscape.embeddings._internal import usual_metric

        return self._presets().get("metric") or usual_metric()

    def _presets(self) -> dict[str, Any]:
        """Return parameters whose defaults are other ones."""
        if not self.is_cross_fitted:
            return dict(self.presets)
        from labelscape.geometry import FisherMetric

        return {"metric": FisherMetric(estimator="auto"), **self.presets}

    def _check_names(self, parameters: Mapping[str, Any]) -> None:
        from labelscape._core.errors import InputError, ParameterError

        if not isinstance(parameters, Mapping):
            raise ParameterError(self.title, "parameters", parameters, "a dict")
        known = self.names()
        for name in parameters:
            if name not in known:
                raise InputError(
                    f"there is no parameter {name!r}. There are: {', '.join(known)}.",
                    owner=self.title,
                    parameter="parameters",
                )

    def own_names(self) -> list[str]:
        """Return the names of all parameters of the estimator itself."""
        return [*inspect.signature(self.kind).parameters]

    def names(self) -> list[str]:
        """Return the names of all parameters, those of its part as well."""
        return [*self.own_names(), *(self.part.rules_outside() if self.part else ())]

    def make(self, n_components: int, n_rows: int, n_classes: int, seed: int) -> Any:
        """Return the estimator of a map of such a table, not yet fitted."""
        from labelscape._core.rules import check_argument, whole

        for name, value in (("n_components", n_components), ("n_rows", n_rows)):
            check_argument(self.title, name, value, whole(1))
        check_argument(self.title, "n_classes", n_classes, whole(1))
        if self.name == "lda":  # has no more directions than that
            n_components = min(n_components, n_classes - 1)
        estimator = self.new({}, seed)
        if "perplexity" in estimator.get_params():
            from labelscape.embeddings._internal import usual_perplexity

            # Honesty fits the map to half of the rows: with the same perplexity, so
            # that it speaks of the same map.
            estimator.set_params(perplexity=int(usual_perplexity(n_rows // 2)))
        return estimator.set_params(n_components=n_components)

    def check_dimensions(
        self, n_components: int, n_features: int, n_classes: int
    ) -> None:
        """Raise unless the map of such a table can have so many dimensions."""
        from labelscape._core.errors import InputError, Setting
        from labelscape._core.rules import check_argument, whole

        for name, value in (("n_features", n_features), ("n_classes", n_classes)):
            check_argument(self.title, name, value, whole(1))
        most, why = n_features, f"there are {n_features} features"
        if self.name == "lda" and n_classes - 1 < n_features:
            most = n_classes - 1
            why = f"it parts {n_classes} classes along {most} directions"
        if not self.has_dimensions(n_components):  # which checks it, too
            most, why = 2, "it makes maps of 2 dimensions at most"
        if n_components > most:
            raise InputError(
                f"{why}, so there is no map of {n_components}. Leave out ",
                Setting(DIMENSIONS),
                ", or take another method.",
                owner=self.title,
                parameter=DIMENSIONS,
            )

    def has_dimensions(self, n_components: int) -> bool:
        """Return whether there are maps by this method of so many dimensions.

        Examples
        --------
        >>> method_named("sammon").has_dimensions(3)
        True
        >>> method_named("tsne").has_dimensions(3)
        False
        """
        from labelscape._core.rules import check_argument, rules_of, whole

        check_argument(self.title, DIMENSIONS, n_components, whole(1))
        rule = rules_of(self.kind).get(DIMENSIONS)
        return rule is None or rule.holds(n_components)


# In the order in which they are shown. Compared are ten maps of different kinds: with
# and without labels, by lines, distances and neighbours.
METHODS = (
    Method(
        "liram",
        "LiRaM LVQ",
        "map",
        PROTOTYPES,
        "LiRaMLVQ",
        is_start=True,
        is_compared=True,
        places_alone=True,
    ),
    Method(
        "local-liram",
        "Local LiRaM LVQ",
        "map",
        PROTOTYPES,
        "LocalLiRaMLVQ",
        places_alone=True,
    ),
    Method(
        "lfda",
        "Local Fisher discriminant",
        "map",
        EMBEDDINGS,
        "LFDA",
        is_compared=True,
        places_alone=True,
    ),
    Method(
        "lda",
        "Linear discriminant",
        "map",
        "sklearn.discriminant_analysis",
        "LinearDiscriminantAnalysis",
        is_compared=True,
        places_alone=True,
    ),
    Method(
        "nca",
        "Neighbourhood components",
        "map",
        "sklearn.neighbors",
        "NeighborhoodComponentsAnalysis",
        is_compared=True,
        is_slow=True,
        places_alone=True,
        fits_rows=2000,
    ),
    Method(
        "pca",
        "Principal components",
        "map",
        "sklearn.decomposition",
        "PCA",
        uses_labels=False,
        is_start=True,
        is_compared=True,
        places_alone=True,
    ),
    Method("wmds", "Weighted MDS", "map", EMBEDDINGS, "WeightedMDS", uses_labels=False),
    Method(
        "sammon",
        "Sammon's mapping",
        "map",
        EMBEDDINGS,
        "Sammon",
        uses_labels=False,
        is_compared=True,
    ),
    Method(
        "cca", "Curvilinear components", "map", EMBEDDINGS, "CCA", uses_labels=False
    ),
    Method("ddhds", "DD-HDS", "map", EMBEDDINGS, "DDHDS", uses_labels=False),
    Method("classimap", "ClassiMap", "map", EMBEDDINGS, "ClassiMap", is_compared=True),
    Method("classnerv", "ClassNeRV", "map", EMBEDDINGS, "ClassNeRV"),
    Method("sne", "SNE", "map", EMBEDDINGS, "SNE", uses_labels=False),
    Method("xom", "XOM", "map", EMBEDDINGS, "XOM", uses_labels=False),
    Method(
        "nexom",
        "NE-XOM",
        "map",
        EMBEDDINGS,
        "NEXOM",
        uses_labels=False,
        is_compared=True,
    ),
    Method(
        "tsne",
        "Kernel t-SNE",
        "map",
        EMBEDDINGS,
        "KernelTSNE",
        uses_labels=False,
        is_compared=True,
        is_slow=True,
        fits_rows=5000,
        presets=TSNE_STEPS,
    ),
    Method(
        "fisher-tsne",
        "Fisher kernel t-SNE",
        "map",
        EMBEDDINGS,
        "FisherKernelTSNE",
        part=FISHER,
    ),
    Method(
        "crossfit",
        "Cross-fitted map",
        "map",
        EMBEDDINGS,
        "FisherKernelTSNE",
        is_compared=True,
        is_start=True,
        is_cross_fitted=True,
        places_alone=True,
        is_slow=True,
        presets=CROSS_FITTED_STEPS | {"train_size": "auto"},
        part=CROSS_FITTED,
    ),
    Method("fisher-mds", "Fisher MDS", "map", EMBEDDINGS, "FisherMDS", part=FISHER),
    Method(
        "gmlvq", "Matrix LVQ", "prototypes", PROTOTYPES, "GMLVQ", is_classifier=True
    ),
    Method(
        "pag",
        "Push and Grow",
        "prototypes",
        PROTOTYPES,
        "PushAndGrow",
        is_classifier=True,
    ),
    Method("lvqag", "LVQ and Grow", "prototypes", PROTOTYPES, "LVQAndGrow"),
    Method("kmeans", "k-means per class", "prototypes", PROTOTYPES, "KMeansPrototypes"),
    Method("icf", "Iterative case filtering", "prototypes", PROTOTYPES, "ICF"),
    Method(
        "svm",
        "Support vector machine",
        "classifier",
        "sklearn.svm",
        "SVC",
        is_classifier=True,
    ),
    Method(
        "forest",
        "Random forest",
        "classifier",
        "sklearn.ensemble",
        "RandomForestClassifier",
        is_classifier=True,
    ),
    Method(
        "logistic",
        "Logistic regression",
        "classifier",
        "sklearn.linear_model",
        "LogisticRegression",
        is_classifier=True,
    ),
)


def methods_of(group: Group | None = None) -> tuple[Method, ...]:
    """Return the methods of a group; None: all.

    Examples
    --------
    >>> [method.name for method in methods_of("classifier")]
    ['svm', 'forest', 'logistic']
    """
    if not (group is None or (isinstance(group, str) and group in get_args(Group))):
        from labelscape._core.errors import ParameterError

        wanted = " or ".join(repr(one) for one in (*get_args(Group), None))
        raise ParameterError("methods_of", "group", group, wanted)
    return tuple(one for one in METHODS if group in (None, one.group))


def compared_names() -> tuple[str, ...]:
    """Return what a comparison is of if nobody says otherwise."""
    return tuple(one.name for one in METHODS if one.is_compared)


def classifier_names() -> tuple[str, ...]:
    """Return the classifiers that can be trained: those with prototypes come last."""
    offered = (one for one in METHODS if one.is_classifier)
    ordered = sorted(offered, key=lambda one: one.group != "classifier")
    return tuple(one.name for one in ordered)


def method_named(name: str, group: Group | None = "map") -> Method:
    """Return the method of this name in a group; None: in any.

    Examples
    --------
    >>> method_named("LFDA").title
    'Local Fisher discriminant'
    """
    known = {one.name: one for one in methods_of(group)}
    return known[one_named(name, known, "method")]


def classifier_named(name: str) -> Method:
    """Return the classifier of this name."""
    return method_named(one_named(name, classifier_names(), "classifier"), None)


def one_named(name: str, names: Collection[str], what: str) -> str:
    """Return the one of these names that was meant, or say which there are."""
    from labelscape._core.errors import InputError, ParameterError

    if not isinstance(name, str):
        raise ParameterError(f"{what}_named", "name", name, "a text")
    wanted = name.lower().replace("_", "-")
    if wanted in names:
        return wanted
    near = get_close_matches(wanted, names, n=1, cutoff=0.5)
    raise InputError(
        f"There is no {what} {name!r}. "
        + (f"Did you mean {near[0]!r}? " if near else "")
        + f"There are: {', '.join(names)}.",
        parameter=what,
    )


def picture_rules(projection: str | None = None) -> "dict[str, Rule]":
    """Return what may be set of the picture of a classifier.

    ``projection`` names the method of the map under it, which can then be set, too.

    Examples
    --------
    >>> "picture__lambda2" in picture_rules()
    True
    """
    from labelscape._core.rules import one_of

    under = PICTURE.outside("projection")
    inner = {} if projection is None else method_named(projection).rules()
    rules = PICTURE.rules_outside()
    rules[under] = one_of(None, *(one.name for one in methods_of("map")))
    return rules | {f"{under}__{name}": rule for name, rule in inner.items()}
