"""Settings as a paper prints them, where our defaults are others."""

from copy import deepcopy
from typing import Any, ClassVar, NamedTuple, Self


class Printed(NamedTuple):
    """What a paper sets a parameter to, and why our default is another."""

    value: Any
    why: str


class AsInPaper:
    """Mixin of estimators whose defaults are not those of their paper."""

    _in_paper: ClassVar[dict[str, Printed]]

    @classmethod
    def as_in_paper(cls, **changes: Any) -> Self:
        """Return an unfitted estimator with the settings of its paper.

        Parameters
        ----------
        **changes
            Parameters of the constructor that should be others.

        Returns
        -------
        estimator : same class
            The paper's settings, where they are known, and our defaults elsewhere. The
            guide lists them beside ours, with the reasons.
        """
        return cls(**_printed(cls, changes) | changes)


def _printed(kind: type[AsInPaper], changes: dict[str, Any]) -> dict[str, Any]:
    printed = {name: one.value for name, one in kind._in_paper.items()}
    # A metric belongs to one estimator: its parameters can be set through it.
    return {name: deepcopy(v) for name, v in printed.items() if name not in changes}
