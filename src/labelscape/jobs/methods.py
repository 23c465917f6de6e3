"""The list of all methods, with a record of each.

The command line, the app, comparisons and the docs use this list, so a new method needs
only one record. The class of the method defines what the map preserves (``_keeps``) and
the allowed values of the parameters (``_rules``).
"""

from collections.abc import Collection
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, get_args

from labelscape.jobs.method import DIMENSIONS as DIMENSIONS
from labelscape.jobs.method import Group as Group
from labelscape.jobs.method import Method as Method
from labelscape.jobs.method import Part as Part
from labelscape.jobs.method import split as split

if TYPE_CHECKING:  # importing NumPy would slow --help down
    from labelscape._core.params import Rule

AUTO = "auto"  # in place of a method's name: the method that `choose_method` returns

FISHER = Part(
    "metric",
    "labelscape.geometry",
    "FisherMetric",
    (
        *("regularization", "parzen_points", "bandwidth", "n_steps", "rule", "method"),
        *("exclude_self", "bandwidth_scale", "parzen_selection", "class_weight"),
        "n_neighbors",
    ),
)
# With cross-fitted models, parameters of the Parzen estimate have no effect.
CROSS_FITTED = Part("metric", FISHER.room, FISHER.estimator, ("cross_fit",))
PICTURE = Part(
    "picture",
    "labelscape.boundary",
    "ClassifierMap",
    (
        *("projection", "lambda1", "lambda2", "bandwidth_factor", "ridge"),
        *("n_centers", "train_size"),
    ),
)

# Iterations of t-SNE after which measures of a map change by at most 0.005.
TSNE_STEPS = {"early_exaggeration_iter": 100, "max_iter": 300, "n_jobs": -1}
CROSS_FITTED_STEPS = TSNE_STEPS | {
    "early_exaggeration_iter": 150,
    "max_iter": 350,
    "train_size": "auto",
}
PROTOTYPES = "labelscape.prototypes"
# Settings of compared maps that can be saved for new rows, and of unsupervised maps.
COMPARED: dict[str, Any] = {"is_compared": True, "places_alone": True}
UNSUPERVISED: dict[str, Any] = {"uses_labels": False}

# In display order. Ten maps of different kinds are compared by default: with and
# without labels, linear, by distances and by neighbors.
METHODS = (
    Method("liram", "LiRaM LVQ", "LiRaMLVQ", PROTOTYPES, is_start=True, **COMPARED),
    Method(
        "local-liram", "Local LiRaM LVQ", "LocalLiRaMLVQ", PROTOTYPES, places_alone=True
    ),
    Method("lfda", "Local Fisher discriminant", "LFDA", **COMPARED),
    Method(
        "lda",
        "Linear discriminant",
        "LinearDiscriminantAnalysis",
        "sklearn.discriminant_analysis",
        **COMPARED,
    ),
    Method(
        "nca",
        "Neighborhood components",
        "NeighborhoodComponentsAnalysis",
        "sklearn.neighbors",
        is_slow=True,
        fits_rows=2000,
        **COMPARED,
    ),
    Method("plsda", "PLS-DA", "PLSDA", places_alone=True),
    Method("oplsda", "OPLS-DA", "OPLSDA", places_alone=True),
    Method(
        "pca",
        "Principal components",
        "PCA",
        "sklearn.decomposition",
        is_start=True,
        **UNSUPERVISED,
        **COMPARED,
    ),
    Method("wmds", "Weighted MDS", "WeightedMDS", **UNSUPERVISED),
    Method("sammon", "Sammon's mapping", "Sammon", is_compared=True, **UNSUPERVISED),
    Method("cca", "Curvilinear components", "CCA", **UNSUPERVISED),
    Method("ddhds", "DD-HDS", "DDHDS", **UNSUPERVISED),
    Method("classimap", "ClassiMap", "ClassiMap", is_compared=True),
    Method("classnerv", "ClassNeRV", "ClassNeRV"),
    Method("sne", "SNE", "SNE", **UNSUPERVISED),
    Method("xom", "XOM", "XOM", **UNSUPERVISED),
    Method("nexom", "NE-XOM", "NEXOM", is_compared=True, **UNSUPERVISED),
    Method(
        "tsne",
        "Kernel t-SNE",
        "KernelTSNE",
        is_compared=True,
        is_slow=True,
        fits_rows=5000,
        presets=TSNE_STEPS,
        **UNSUPERVISED,
    ),
    Method("fisher-tsne", "Fisher kernel t-SNE", "FisherKernelTSNE", part=FISHER),
    Method(
        "crossfit",
        "Cross-fitted map",
        "CrossFittedTSNE",
        is_start=True,
        is_cross_fitted=True,
        is_slow=True,
        presets=CROSS_FITTED_STEPS,
        part=CROSS_FITTED,
        **COMPARED,
    ),
    Method("fisher-mds", "Fisher MDS", "FisherMDS", part=FISHER),
    *(
        Method(name, title, kind, PROTOTYPES, "prototypes", is_classifier=is_offered)
        for name, title, kind, is_offered in (
            ("glvq", "Generalized LVQ", "GLVQ", False),
            ("grlvq", "Relevance LVQ", "GRLVQ", False),
            ("gmlvq", "Matrix LVQ", "GMLVQ", True),
            ("lgmlvq", "Local matrix LVQ", "LGMLVQ", False),
            ("pag", "Push and Grow", "PushAndGrow", True),
            ("lvqag", "LVQ and Grow", "LVQAndGrow", False),
            ("kmeans", "k-means per class", "KMeansPrototypes", False),
            ("icf", "Iterative case filtering", "ICF", False),
        )
    ),
    *(
        Method(name, title, kind, f"sklearn.{room}", "classifier", is_classifier=True)
        for name, title, kind, room in (
            ("svm", "Support vector machine", "SVC", "svm"),
            ("forest", "Random forest", "RandomForestClassifier", "ensemble"),
            ("logistic", "Logistic regression", "LogisticRegression", "linear_model"),
        )
    ),
)


def methods_of(group: Group | None = None) -> tuple[Method, ...]:
    """Return the methods of a group; None: all methods.

    Examples
    --------
    >>> [method.name for method in methods_of("classifier")]
    ['svm', 'forest', 'logistic']
    """
    if str(group) not in (*get_args(Group), "None"):
        from labelscape._core.errors import ParameterError

        wanted = " or ".join(repr(one) for one in (*get_args(Group), None))
        raise ParameterError("methods_of", "group", group, wanted)
    return tuple(one for one in METHODS if group in (None, one.group))


def compared_names() -> tuple[str, ...]:
    """Return the names of the methods that are compared by default."""
    return tuple(one.name for one in METHODS if one.is_compared)


def classifier_names() -> tuple[str, ...]:
    """Return the names of classifiers that can be trained; prototype models last."""
    offered = (one for one in METHODS if one.is_classifier)
    ordered = sorted(offered, key=lambda one: one.group != "classifier")
    return tuple(one.name for one in ordered)


def method_named(name: str, group: Group | None = "map") -> Method:
    """Return the method with this name in a group; with None, in any group.

    Examples
    --------
    >>> method_named("LFDA").title
    'Local Fisher discriminant'
    """
    known = {one.name: one for one in methods_of(group)}
    return known[_known_name(name, known, "method")]


def classifier_named(name: str) -> Method:
    """Return the classifier with this name."""
    return method_named(_known_name(name, classifier_names(), "classifier"), None)


def _known_name(name: str, names: Collection[str], what: str) -> str:
    """Return a name as it is spelled in the list; raise an error if it is unknown."""
    from labelscape._core.errors import InputError, ParameterError

    if not isinstance(name, str):
        raise ParameterError(f"{what}_named", "name", name, "text")
    wanted = name.lower().replace("_", "-")
    if wanted in names:
        return wanted
    near = get_close_matches(wanted, names, n=1, cutoff=0.5)
    raise InputError(
        f"There is no {what} {name!r}. "
        + (f"Did you mean {near[0]!r}? " if near else "")
        + f"Available: {', '.join(names)}.",
        parameter=what,
    )


def check_kept(name: str) -> None:
    """Raise an error unless maps of this method can be saved for new rows."""
    from labelscape._core.errors import InputError, Setting

    if name == AUTO or method_named(name).places_alone:
        return
    names = [one.name for one in methods_of("map") if one.places_alone]
    raise InputError(
        f"{name!r} needs the training rows to place new rows, but a saved map does not "
        "contain them. Choose ",
        Setting("method", names[0]),
        f" or another method of: {', '.join(names)}.",
        parameter="method",
    )


def picture_rules(projection: str | None = None) -> "dict[str, Rule]":
    """Return the allowed values of the parameters of a classifier's map.

    ``projection`` is the method of the underlying map; its parameters are included.

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
