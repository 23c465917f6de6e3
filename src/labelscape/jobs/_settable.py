"""What people set of estimators of other libraries, and of those inside others.

The latter are set by two names: ``metric__rule`` is the rule of a map's metric.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # it needs NumPy, for which --help should not wait
    from labelscape._core.rules import Rule

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
        from labelscape._core.rules import rules_of

        known = rules_of(self.kind)
        return {name: known[name] for name in self.parameters}

    def rules_outside(self) -> "dict[str, Rule]":
        """Return what each parameter may be, by what the whole calls it."""
        return {self.outside(name): rule for name, rule in self.rules().items()}

    def outside(self, parameter: str) -> str:
        """Return what a parameter of the part is called by the whole."""
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


def rules_of_others() -> "dict[str, dict[str, Rule]]":
    """Return what may be set of estimators that are not ours: a few things each."""
    from labelscape._core.rules import either, flag, number, one_of, whole

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
