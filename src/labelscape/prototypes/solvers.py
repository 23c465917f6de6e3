"""Settings of the solvers and of local matrices, which few users change."""

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from labelscape._core.numerics import decayed
from labelscape._core.params import (
    CheckedRecord,
    either,
    finite,
    flag,
    number,
    one_of,
    whole,
)


class Rates(NamedTuple):
    """How far prototypes and matrices move in one epoch; whether steps are capped."""

    prototypes: float
    matrices: float
    local: float
    clip: bool


@dataclass(frozen=True)
class LBFGS(CheckedRecord):
    """L-BFGS on the cost of all samples: settings for ``solver``.

    Parameters
    ----------
    slope : float, default=5.0
        Slope of the logistic function in the cost; 0 is the identity.
    jitter : float, default=0.3
        Train as if every sample were blurred, by noise of this size relative to the
        spread of the features. It keeps a matrix from relying on directions in which
        the training samples happen to vary little.
    n_init : int, default=1
        Number of starts, for matrix models with the start "lda". The others are random
        turns of the discriminant directions; the one with the lowest cost after a few
        iterations is trained.

    Examples
    --------
    >>> from labelscape.prototypes import LBFGS, GLVQ
    >>> GLVQ(solver=LBFGS(jitter=0.0))
    GLVQ(solver=LBFGS(slope=5.0, jitter=0.0, n_init=1))
    """

    slope: float = 5.0
    jitter: float = 0.3
    n_init: int = 1

    _rules: ClassVar = {
        "slope": number(0.0, vanishing=False),
        "jitter": number(0.0),
        "n_init": whole(1),
    }


@dataclass(frozen=True)
class SGD(CheckedRecord):
    """The paper's online training, one sample at a time: settings for ``solver``.

    The rates at the start are ``learning_rate`` and ``matrix_learning_rate`` of the
    model.

    Parameters
    ----------
    slope : float, default=0.0
        Slope of the logistic function in the cost; 0 is the identity.
    decay : float, default=1e-4
        Rates fall as ``1 / (1 + t decay)`` with the epoch t.
    clip_step : bool, default=False
        Whether to keep a prototype from jumping past the sample that attracts it.
    matrix_epoch : int, default=100
        First epoch in which relevances or matrices learn; prototypes go first.
    matrix_decay : float, optional
        How the rate of relevances or matrices falls. By default as ``decay``.
    local_learning_rate : float, optional
        Rate of the local matrices of `LocalLiRaMLVQ`, alpha_3 of eq. 31. By default
        ``matrix_learning_rate``.
    local_decay : float, optional
        How that rate falls. By default as ``matrix_decay``.

    Examples
    --------
    >>> from labelscape.prototypes import SGD, LiRaMLVQ
    >>> LiRaMLVQ(solver=SGD(matrix_epoch=30)).solver.decay
    0.0001
    """

    slope: float = 0.0
    decay: float = 1e-4
    clip_step: bool = False
    matrix_epoch: int = 100
    matrix_decay: float | None = None
    local_learning_rate: float | None = None
    local_decay: float | None = None

    _rules: ClassVar = {
        "slope": number(0.0, vanishing=False),
        "decay": number(0.0),
        "clip_step": flag(),
        "matrix_epoch": whole(1),
        "matrix_decay": either(number(0.0), one_of(None)),
        "local_learning_rate": either(finite(0.0), one_of(None)),
        "local_decay": either(number(0.0), one_of(None)),
    }

    def _rates(self, epoch, learning_rate, matrix_learning_rate):
        """Return the rates of an epoch, counted from 1 (eqs. 18 and 19)."""
        matrix_decay = _first(self.matrix_decay, self.decay)
        local_rate = _first(self.local_learning_rate, matrix_learning_rate)
        local_decay = _first(self.local_decay, matrix_decay)
        return Rates(
            decayed(learning_rate, self.decay, epoch - 1),
            self._of_matrices(matrix_learning_rate, matrix_decay, epoch),
            self._of_matrices(local_rate, local_decay, epoch),
            self.clip_step,
        )

    def _of_matrices(self, rate, decay, epoch):
        waited = epoch - self.matrix_epoch
        return decayed(rate, decay, waited) if waited >= 0 else 0.0


@dataclass(frozen=True)
class Localization(CheckedRecord):
    """Which prototypes share a local matrix, and how these are kept.

    Parameters
    ----------
    by : {"class", "prototype"}, default="class"
        Whether the prototypes of a class share one local matrix.
    normalize : bool, default=True
        Keep each local matrix at norm 1. Without it one of them may shrink until its
        class takes over.
    regularization : float, default=0.0
        Strength of the penalty on the local matrices.
    init : {"identity", "random"}, default="identity"
        Start of the local matrices of `LocalLiRaMLVQ`: "identity" begins as global
        LiRaM LVQ. Those of `LGMLVQ` start by its ``matrix_init``.

    Examples
    --------
    >>> from labelscape.prototypes import LocalLiRaMLVQ, Localization
    >>> model = LocalLiRaMLVQ(localization=Localization("prototype", normalize=False))
    """

    by: Literal["class", "prototype"] = "class"
    normalize: bool = True
    regularization: float = 0.0
    init: Literal["identity", "random"] = "identity"

    _rules: ClassVar = {
        "by": one_of("class", "prototype"),
        "normalize": flag(),
        "regularization": number(0.0),
        "init": one_of("identity", "random"),
    }


def _first(value, otherwise):
    return otherwise if value is None else value
