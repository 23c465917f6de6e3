"""The audit: models that never saw a row say what they make of its label."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array

from labelscape._core.arguments import arguments
from labelscape._core.checks import (
    check_finite,
    check_labels,
    label_array,
    numbers_in,
)
from labelscape._core.errors import InputError
from labelscape._core.features import ConstantFeatures
from labelscape._core.label_signal import LabelsSayNothing
from labelscape._core.rules import COMMON, number
from labelscape._core.spelling import merged
from labelscape.auditing._batch import judged_batches
from labelscape.auditing._discoveries import discoveries
from labelscape.auditing._evidence import Suspect, Witnesses
from labelscape.auditing._features import model_features, telling_columns
from labelscape.auditing._groups import hidden_groups
from labelscape.auditing._opinions import opinions
from labelscape.auditing._report import AuditReport
from labelscape.auditing._rim import rim_rows, typical_rows
from labelscape.auditing.findings.class_names import (
    rare_classes,
    spelled_alike,
    too_rare,
)
from labelscape.auditing.findings.columns import silent_columns, stand_ins
from labelscape.auditing.findings.copies import equal_rows, nearly_equal_rows
from labelscape.auditing.findings.leaks import leaks, telling_gaps
from labelscape.auditing.findings.record import Finding
from labelscape.auditing.findings.shapes import shapes
from labelscape.datasets import read_table
from labelscape.quality._internal import balanced_accuracy, units_of

# So many rows of the ranking are shown besides the suspects.
LOOK_FIRST = 20
_RULES = {
    "rate": number(above=0.0, below=1.0),
    "random_state": COMMON["random_state"],
}


@arguments(**_RULES)
def audit(X, y, groups=None, rate=0.1, random_state=None, *, batch=None):
    """Find labels that seem to be wrong, and what else is odd about a table.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Objects, in the order of the table that they come from. A data frame with words,
        dates or truth values is encoded as `labelscape.datasets.read_table` does.
    y : array-like of shape (n,)
        Class labels.
    groups : array-like of shape (n,), optional
        What each row belongs to, such as a patient. Rows of one group, and copies of a
        row, are never judged by models that were fitted to one of them.
    rate : float, default=0.1
        The share of false alarms that is allowed among the suspects.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of the models.
    batch : array-like of shape (n,), optional
        Where each row comes from, such as a plate or a day: can it be told from the
        features, does it go with the class, and what is left without it?

    Returns
    -------
    AuditReport
        ``suspects``, ``look_first``, ``ranking``, ``likely``, ``chance_wrong``,
        ``findings``; prints as a short text.

    Notes
    -----
    How the promise is kept, and what was measured, is told in the guide.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import labelscape
    >>> X, y = load_iris(return_X_y=True)
    >>> y[[3, 90]] = 2, 0
    >>> report = labelscape.audit(X, y, random_state=0)
    >>> sorted(report.ranking[:2].tolist())
    [3, 90]
    >>> report.likely[[3, 90]]
    array([0, 1])
    """
    if not _holds_words(X):
        return audited(X, y, groups, rate, random_state, batch=batch)
    table = read_table(X, missing="impute")
    names, columns = table.feature_names, table.encoder.feature_columns
    gaps = {
        column: table.imputed[name]
        for name, column in zip(names, columns, strict=True)
        if name in table.imputed
    }
    return audited(
        table.X,
        y,
        groups,
        rate,
        random_state,
        names=names,
        columns=columns,
        gaps=gaps,
        batch=batch,
    )


def _holds_words(X: Any) -> bool:
    """Return whether X is a data frame with columns that are no numbers."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    return isinstance(frame, nw.DataFrame) and not all(
        dtype.is_numeric() for dtype in frame.schema.values()
    )


def audited(
    X: Any,
    y: Any,
    groups: Any,
    rate: float,
    random_state: Any,
    *,
    names: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    gaps: Mapping[str, NDArray[np.intp]] | None = None,
    batch: Any = None,
) -> AuditReport:
    """Audit a table of which more is known.

    The names of its features, the column of each, and where gaps were.
    """
    names = _names(X) if names is None else names
    X = _checked(X)
    names = [f"x{j}" for j in range(X.shape[1])] if names is None else list(names)
    columns = names if columns is None else list(columns)
    spelled, given = check_labels(y, len(X), owner="audit")
    # What is written in two ways is one class, and no mistake of another kind.
    classes, codes = merged(spelled, given)
    if len(classes) < 2:
        raise InputError(
            "y must hold at least two classes, got 1 class in several spellings: "
            f"{', '.join(map(repr, spelled.tolist()[:5]))}.",
            owner="audit",
            parameter="y",
        )
    features = telling_columns(X)
    units = units_of(features, groups, codes=codes, owner="audit")
    batches = None if batch is None else _batch_codes(batch, len(X))
    rng = check_random_state(random_state)
    with warnings.catch_warnings():
        # Findings name the constant columns, and the report labels without signal.
        warnings.simplefilter("ignore", ConstantFeatures)
        warnings.simplefilter("ignore", LabelsSayNothing)
        places = model_features(features, codes)
        p = opinions(places, codes, units.of_row, rng)
    is_judged = ~np.isin(codes, too_rare(codes, units, len(classes)))
    found = discoveries(p, codes, units.of_row, is_judged, rate, rng)
    with_few = np.bincount(codes[~is_judged], minlength=len(classes)) > 0
    suspected = np.zeros(len(X), dtype=bool)
    suspected[found.ranking[: found.n_flagged]] = True
    rim, trusted = rim_rows(places), ~suspected
    inside = trusted.copy()
    inside[rim] = False  # one row far away decides every direction
    parted = hidden_groups(X, places, classes, codes, units.of_row, inside, names, rng)
    judged = None
    if batches is not None:
        judged = judged_batches(places, batches, codes, units.of_row, rng)
    witnesses = Witnesses(X, places, codes, units.of_row, suspected, names)
    return AuditReport(
        classes,
        float(rate),
        found,
        p,
        _records(witnesses, spelled[given], classes, codes, p, found),
        [
            *spelled_alike(spelled, given),
            *_findings(
                X, places, names, columns, classes, codes, units, p, gaps or {}, rng
            ),
            *shapes(parted, rim, judged),
        ],
        names,
        spelled[given],
        codes,
        X,
        units.of_row,
        parted,
        typical_rows(places, codes, trusted, len(classes), rng),
        rim,
        judged,
        with_few,
    )


def _batch_codes(batch: Any, n_rows: int) -> NDArray[np.intp]:
    """Return the number of the batch of each row."""
    labels = label_array(batch, owner="audit")
    if labels.shape != (n_rows,):
        raise InputError(
            f"batch must hold one value per object ({n_rows:,}), got an array of "
            f"shape {labels.shape}.",
            owner="audit",
            parameter="batch",
        )
    kinds, codes = np.unique(labels, return_inverse=True)
    if len(kinds) < 2:
        raise InputError(
            "batch must hold at least two batches, got 1. Leave it out.",
            owner="audit",
            parameter="batch",
        )
    return codes


def _checked(X: Any) -> NDArray[Any]:
    with numbers_in(X, owner="audit"):
        X = check_array(
            X,
            dtype=[np.float64, np.float32],
            order="C",
            ensure_all_finite=False,
            ensure_min_samples=2,
        )
    check_finite(X, owner="audit")
    if (X.min(axis=0) == X.max(axis=0)).all():
        raise InputError(
            "every feature is constant: no two rows differ, so that nothing can be "
            "said of their labels. Check that the right columns were given.",
            owner="audit",
            parameter="X",
        )
    return X


def _names(X: Any) -> list[str] | None:
    columns = getattr(X, "columns", None)
    return None if columns is None else [str(name) for name in columns]


def _records(
    witnesses: Witnesses,
    labels: NDArray[Any],
    classes: NDArray[Any],
    codes: NDArray[np.intp],
    p: NDArray[np.float64],
    found: Any,
) -> list[Suspect]:
    """Return the first rows of the ranking with what speaks against their labels."""
    rows = found.ranking[: found.n_flagged + LOOK_FIRST * found.has_signal]
    rows = rows[found.chance_wrong[rows] > 0]
    given, likely = codes[rows], p[rows].argmax(axis=1)
    both = zip(witnesses.near(rows, given), witnesses.near(rows, likely), strict=True)
    names = classes.tolist()
    return [
        Suspect(
            int(row),
            labels[row : row + 1].tolist()[0],
            names[k],
            float(p[row, g]),
            float(p[row, k]),
            float(found.chance_wrong[row]),
            near_given,
            near_likely,
            witnesses.against(row, g, k),
        )
        for row, g, k, (near_given, near_likely) in zip(
            rows, given, likely, both, strict=True
        )
    ]


def _findings(
    X: NDArray[Any],
    places: NDArray[Any],
    names: list[str],
    columns: list[str],
    classes: NDArray[Any],
    codes: NDArray[np.intp],
    units: Any,
    p: NDArray[np.float64],
    gaps: Mapping[str, NDArray[np.intp]],
    rng: np.random.RandomState,
) -> Iterator[Finding]:
    taken_for = p.argmax(axis=1)
    accuracy = balanced_accuracy(taken_for, codes, len(classes))
    yield from equal_rows(units, codes)
    yield from nearly_equal_rows(places, units)
    yield from stand_ins(X, names)
    yield from rare_classes(classes, codes, units)
    yield from silent_columns(X, columns)
    yield from leaks(X, names, columns, classes, codes, units, accuracy, rng)
    yield from telling_gaps(gaps, codes, units, rng)
