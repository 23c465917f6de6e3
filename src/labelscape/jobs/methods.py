"""The methods by name: one record each, for every host.

The command line, the app's cards, comparisons and the docs read this list, so that a
new method is one record. What it keeps, its class says itself (``_keeps``), and
what its parameters may be, too (``_rules``).
"""

import inspect
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:  # they need NumPy, for which --help should not wait
    from labelscape._core.params import Rule

Group = Literal["map", "prototypes", "classifier"]

# In place of a method's name: the one that `choose_method` returns.
AUTO = "auto"
PROTOTYPES = "labelscape.prototypes"

# Steps of t-SNE after which measures of a map change by .005 at most, and all cores.
TSNE_STEPS = {"early_exaggeration_iter": 100, "max_iter": 300, "n_jobs": -1}
CROSS_FITTED_STEPS = {"early_exaggeration_iter": 150, "max_iter": 350, "n_jobs": -1}

# The parameter that says how many dimensions a map has.
DIMENSIONS = "n_components"

# Set elsewhere (the seed), or useful only to those who write code.
TECHNICAL = {
    "callback",
    "copy",
    "metric",
    "missing",
    "n_components",
    "n_jobs",
    "random_state",
    "verbose",
    "warm_start",
    "weights",
}


# Parameters of an estimator inside another one have two names: ``metric__rule``.
BETWEEN = "__"


def split(part: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what is given of a part, by its own names, and the rest."""
    start = part + BETWEEN
    own = {k[len(start) :]: v for k, v in given.items() if k.startswith(start)}
    return own, {k: v for k, v in given.items() if not k.startswith(start)}


@dataclass(frozen=True)
class Part:
    """An estimator inside another one."""

    # What it is called there.
    name: str
    # Where its class lives, and what that is called.
    room: str
    estimator: str
    # What people set of it, what matters most first.
    parameters: tuple[str, ...]

    @property
    def kind(self) -> type[Any]:
        """The class of the estimator."""
        found: type[Any] = getattr(import_module(self.room), self.estimator)
        return found

    def rules(self) -> "dict[str, Rule]":
        """Return what each parameter may be, by the part's own names."""
        from labelscape._core.params import rules_of

        known = rules_of(self.kind)
        return {name: known[name] for name in self.parameters}

    def rules_outside(self) -> "dict[str, Rule]":
        """Return what each parameter may be, by its name outside."""
        return {self.outside(name): rule for name, rule in self.rules().items()}

    def outside(self, parameter: str) -> str:
        """Return the name of a parameter outside the part."""
        return f"{self.name}{BETWEEN}{parameter}"


FISHER = Part(
    "metric",
    "labelscape.geometry",
    "FisherMetric",
    (
        "regularization",
        "parzen_points",
        "bandwidth",
        "n_steps",
        "rule",
        "method",
        "exclude_self",
        "bandwidth_scale",
        "parzen_selection",
        "class_weight",
        "n_neighbors",
    ),
)
# With models that never saw an object there is no Parzen estimate, and no line.
CROSS_FITTED = Part("metric", FISHER.room, FISHER.estimator, ("cross_fit",))
PICTURE = Part(
    "picture",
    "labelscape.boundary",
    "ClassifierMap",
    (
        "projection",
        "lambda1",
        "lambda2",
        "bandwidth_factor",
        "ridge",
        "n_centers",
        "train_size",
    ),
)


@dataclass(frozen=True)
class Method:
    """A method by its name, and all that hosts know of it.

    Attributes
    ----------
    name, title : str
        What it is called on the command line, and by people.
    estimator, room : str
        The name of its class, and the package that it is imported from.
    group : {"map", "prototypes", "classifier"}
        What it makes of a table.
    uses_labels : bool
        Whether it uses the classes.
    is_start : bool
        Whether it is good to begin with.
    is_compared : bool
        Whether `compare_methods` includes it by default.
    is_classifier : bool
        Whether ``labelscape classify`` offers it.
    is_cross_fitted : bool
        Whether class probabilities come from models that never saw the object.
    places_alone : bool
        Whether it places new rows without those that it was fitted to.
    fits_rows : int or None
        It is fitted to this many rows at most, because more would take long, and the
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
    'Keeps all distances, the short ones most of all; labels are not used.'
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
        found: type[Any] = getattr(import_module(self.room), self.estimator)
        return found

    @property
    def keeps(self) -> str:
        """What it keeps, in one sentence."""
        from labelscape._core.estimator import what_it_keeps

        return what_it_keeps(self.kind)

    def rules(self) -> "dict[str, Rule]":
        """Return the parameters that people set, and what each may be."""
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

    def new(self, parameters: Mapping[str, Any], seed: int) -> Any:
        """Return the estimator with its parameters and seed, not yet fitted."""
        estimator = self.set_parameters(self.kind(**self._presets()), parameters)
        if "random_state" in estimator.get_params():
            estimator.set_params(random_state=seed)
        return estimator

    def set_parameters(self, estimator: Any, parameters: Mapping[str, Any]) -> Any:
        """Give an estimator of this method parameters, those of its part as well."""
        self._check_names(parameters)
        if self.part and split(self.part.name, parameters)[0]:
            inside = getattr(estimator, self.part.name) or self.usual_part()
            estimator.set_params(**{self.part.name: inside})
        return estimator.set_params(**parameters)

    def usual_part(self) -> Any:
        """Return the default of the estimator inside it."""
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
        from labelscape._core.params import check_argument, whole

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
        """Raise unless the map of such a table can have that many dimensions."""
        from labelscape._core.errors import InputError, Setting
        from labelscape._core.params import check_argument, whole

        for name, value in (("n_features", n_features), ("n_classes", n_classes)):
            check_argument(self.title, name, value, whole(1))
        most, why = n_features, f"there are {n_features} features"
        if self.name == "lda" and n_classes - 1 < n_features:
            most = n_classes - 1
            why = f"it separates {n_classes} classes along {most} directions"
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
        """Return whether there are maps by this method of that many dimensions.

        Examples
        --------
        >>> method_named("sammon").has_dimensions(3)
        True
        >>> method_named("tsne").has_dimensions(3)
        False
        """
        from labelscape._core.params import check_argument, rules_of, whole

        check_argument(self.title, DIMENSIONS, n_components, whole(1))
        rule = rules_of(self.kind).get(DIMENSIONS)
        return rule is None or rule.holds(n_components)


# In the order in which they are shown. Compared are ten maps of different kinds: with
# and without labels, by lines, distances and neighbours.
METHODS = (
    Method(
        "liram",
        "LiRaM LVQ",
        "LiRaMLVQ",
        PROTOTYPES,
        is_start=True,
        is_compared=True,
        places_alone=True,
    ),
    Method(
        "local-liram", "Local LiRaM LVQ", "LocalLiRaMLVQ", PROTOTYPES, places_alone=True
    ),
    Method(
        "lfda", "Local Fisher discriminant", "LFDA", is_compared=True, places_alone=True
    ),
    Method(
        "lda",
        "Linear discriminant",
        "LinearDiscriminantAnalysis",
        "sklearn.discriminant_analysis",
        is_compared=True,
        places_alone=True,
    ),
    Method(
        "nca",
        "Neighbourhood components",
        "NeighborhoodComponentsAnalysis",
        "sklearn.neighbors",
        is_compared=True,
        is_slow=True,
        places_alone=True,
        fits_rows=2000,
    ),
    Method(
        "pca",
        "Principal components",
        "PCA",
        "sklearn.decomposition",
        uses_labels=False,
        is_start=True,
        is_compared=True,
        places_alone=True,
    ),
    Method("wmds", "Weighted MDS", "WeightedMDS", uses_labels=False),
    Method("sammon", "Sammon's mapping", "Sammon", uses_labels=False, is_compared=True),
    Method("cca", "Curvilinear components", "CCA", uses_labels=False),
    Method("ddhds", "DD-HDS", "DDHDS", uses_labels=False),
    Method("classimap", "ClassiMap", "ClassiMap", is_compared=True),
    Method("classnerv", "ClassNeRV", "ClassNeRV"),
    Method("sne", "SNE", "SNE", uses_labels=False),
    Method("xom", "XOM", "XOM", uses_labels=False),
    Method("nexom", "NE-XOM", "NEXOM", uses_labels=False, is_compared=True),
    Method(
        "tsne",
        "Kernel t-SNE",
        "KernelTSNE",
        uses_labels=False,
        is_compared=True,
        is_slow=True,
        fits_rows=5000,
        presets=TSNE_STEPS,
    ),
    Method("fisher-tsne", "Fisher kernel t-SNE", "FisherKernelTSNE", part=FISHER),
    Method(
        "crossfit",
        "Cross-fitted map",
        "CrossFittedTSNE",
        is_compared=True,
        is_start=True,
        is_cross_fitted=True,
        places_alone=True,
        is_slow=True,
        presets=CROSS_FITTED_STEPS | {"train_size": "auto"},
        part=CROSS_FITTED,
    ),
    Method("fisher-mds", "Fisher MDS", "FisherMDS", part=FISHER),
    *(
        Method(name, title, kind, PROTOTYPES, "prototypes", is_classifier=is_offered)
        for name, title, kind, is_offered in (
            ("gmlvq", "Matrix LVQ", "GMLVQ", True),
            ("pag", "Push and Grow", "PushAndGrow", True),
            ("lvqag", "LVQ and Grow", "LVQAndGrow", False),
            ("kmeans", "k-means per class", "KMeansPrototypes", False),
            ("icf", "Iterative case filtering", "ICF", False),
        )
    ),
    *(
        Method(name, title, kind, room, "classifier", is_classifier=True)
        for name, title, kind, room in (
            ("svm", "Support vector machine", "SVC", "sklearn.svm"),
            ("forest", "Random forest", "RandomForestClassifier", "sklearn.ensemble"),
            (
                "logistic",
                "Logistic regression",
                "LogisticRegression",
                "sklearn.linear_model",
            ),
        )
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
    """Return the methods that are compared by default."""
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


def check_kept(name: str) -> None:
    """Raise unless a map by this method can be kept, before anything is fitted."""
    from labelscape._core.errors import InputError, Setting

    if name == AUTO or method_named(name).places_alone:
        return
    kept = [one.name for one in methods_of("map") if one.places_alone]
    raise InputError(
        f"a map by {name!r} places new rows by comparing them with the old ones, "
        "which a kept map does not hold. Take ",
        Setting("method", kept[0]),
        f" or another one of: {', '.join(kept)}.",
        parameter="method",
    )


def picture_rules(projection: str | None = None) -> "dict[str, Rule]":
    """Return what may be set of the picture of a classifier.

    ``projection`` names the method of the map under it, which can then be set, too.

    Examples
    --------
    >>> "picture__lambda2" in picture_rules()
    True
    """
    from labelscape._core.params import one_of

    under = PICTURE.outside("projection")
    inner = {} if projection is None else method_named(projection).rules()
    rules = PICTURE.rules_outside()
    rules[under] = one_of(None, *(one.name for one in methods_of("map")))
    return rules | {f"{under}__{name}": rule for name, rule in inner.items()}


def rules_of_others() -> "dict[str, dict[str, Rule]]":
    """Return what may be set of estimators that are not ours: a few things each."""
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
