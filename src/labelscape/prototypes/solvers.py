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
    """Learning rates of one epoch, and whether steps are capped."""

    prototypes: float
    matrices: float
    local: float
    clip: bool


@dataclass(frozen=True)
class LBFGS(CheckedRecord):
    """Settings of ``solver="lbfgs"``: L-BFGS on the cost of all samples.

    Parameters
    ----------
    slope : float, default=5.0
        Slope of the logistic function in the cost; 0 is the identity.
    jitter : float, default=0.3
        Size of the noise that the cost adds to samples, relative to the spread of
        features. It prevents the matrix from using directions in which the training
        samples vary little by chance.
    n_init : int, default=1
        Number of starting points to try, for matrix models that start from "lda".
        All starts but the first are random rotations of discriminant directions.
        Training continues from the start with the lowest cost after 25 iterations.

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
    """Settings of ``solver="sgd"``: the paper's training with one sample at a time.

    Prototypes are trained from the first epoch on, with ``learning_rate``. Relevances
    or matrices are trained from ``matrix_epoch`` on, with ``matrix_learning_rate``.

    Parameters
    ----------
    slope : float, default=0.0
        Slope of the logistic function in the cost; 0 is the identity.
    decay : float, default=1e-4
        After t epochs, a learning rate is multiplied by ``1 / (1 + t decay)``.
    clip_step : bool, default=False
        Whether to prevent a prototype from passing the sample that attracts it.
    matrix_epoch : int, default=100
        First epoch in which relevances or matrices are trained. Before this epoch, only
        prototypes are trained.
    matrix_decay : float, optional
        Decay of the learning rate of relevances or matrices. By default ``decay``.
    local_learning_rate : float, optional
        Rate of the local matrices of `LocalLiRaMLVQ`, alpha_3 of eq. 31. By default
        ``matrix_learning_rate``.
    local_decay : float, optional
        Decay of ``local_learning_rate``. By default ``matrix_decay``.

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
    """Settings of local matrices: how they are shared, normalized and initialized.

    Parameters
    ----------
    by : {"class", "prototype"}, default="class"
        Whether prototypes of a class share a matrix, or each has its own.
    normalize : bool, default=True
        Whether to keep the norm of each local matrix at 1. Otherwise one matrix may
        shrink until almost all samples get its class.
    regularization : float, default=0.0
        Strength of the penalty on the local matrices.
    init : {"identity", "random"}, default="identity"
        Initial local matrices of `LocalLiRaMLVQ`. With "identity", training starts like
        that of `LiRaMLVQ`. `LGMLVQ` uses its parameter ``matrix_init`` instead.

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
