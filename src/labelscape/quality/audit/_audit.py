"""The audit: labels compared with predictions of models fitted to other rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
from numpy.random import RandomState
from sklearn.utils import check_random_state

from labelscape._core.checks import ConstantFeatures, nothing_differs
from labelscape._core.errors import InputError
from labelscape._core.labels import check_labels, label_array, merged, not_one_each
from labelscape._core.params import COMMON, arguments, number
from labelscape._core.threads import ignored
from labelscape._core.types import Bools, Floats, Ints
from labelscape._resampling.label_signal import LabelsSayNothing
from labelscape._resampling.sampling import drawn_by_class
from labelscape._resampling.units import checked_rows, named_features, units_of
from labelscape.datasets import read_table
from labelscape.quality.audit.batches import Swap, judged_batches, swapped_names
from labelscape.quality.audit.crossings import crossing
from labelscape.quality.audit.evidence import (
    AuditedTable,
    outlying_rows,
    suspects_of,
    typical_rows,
)
from labelscape.quality.audit.groups import hidden_groups
from labelscape.quality.audit.opinions import (
    blended,
    model_features,
    opinions,
    telling_columns,
)
from labelscape.quality.audit.report import AuditReport
from labelscape.quality.audit.suspects import Discoveries, discoveries
from labelscape.quality.audit.table_findings import (
    shapes,
    spelled_alike,
    table_findings,
    too_rare,
)

# With more rows, some of each batch are used to search for swapped names.
MOST_FOR_SWAPS = 10_000
_RULES = {"rate": number(above=0.0, below=1.0), "random_state": COMMON["random_state"]}


@arguments(**_RULES)
def audit(X, y, groups=None, rate=0.1, random_state=None, *, batch=None) -> AuditReport:
    """Find labels that look wrong, and other problems in a table.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Samples, in the order of their table. A data frame with text, dates or booleans
        is encoded as by `labelscape.datasets.read_table`.
    y : array-like of shape (n,)
        Class labels.
    groups : array-like of shape (n,), optional
        The group of each row, such as a patient. The label of a row is checked by
        models that were not fitted to copies of this row or to other rows of its group.
    rate : float, default=0.1
        Maximum expected fraction of false alarms among the suspects.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of the models.
    batch : array-like of shape (n,), optional
        The batch of each row, such as a plate or a day, to test for a batch effect and
        for confounding of batch and class. Class names that look swapped in one batch
        are reported as ``swaps``; without batches, groups are used instead.

    Returns
    -------
    AuditReport
        A report with ``suspects``, ``look_first``, ``ranking``, ``likely``,
        ``chance_wrong`` and ``findings``, which is printed as a short text.

    Notes
    -----
    See the page about the audit for how false alarms are limited.

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
    how = {"rate": rate, "random_state": random_state, "batch": batch}
    if not _holds_words(X):
        return audited(X, y, groups, **how)
    table = read_table(X, missing="impute")
    names, columns = table.feature_names, table.encoder.feature_columns
    gaps = {
        column: table.imputed[name]
        for name, column in zip(names, columns, strict=True)
        if name in table.imputed
    }
    return audited(table.X, y, groups, names=names, columns=columns, gaps=gaps, **how)


def _holds_words(X: Any) -> bool:
    """Return whether X is a data frame with columns that are not numeric."""
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
    gaps: Mapping[str, Ints] | None = None,
    batch: Any = None,
) -> AuditReport:
    """Audit a table with known feature names, source columns and missing values."""
    given_X, X = X, checked_rows(X, owner="audit", order="C", ensure_min_samples=2)
    if (X.min(axis=0) == X.max(axis=0)).all():
        raise nothing_differs("their labels cannot be checked", owner="audit")
    names = named_features(given_X, names, X.shape[1])
    spelled, given = check_labels(y, len(X), owner="audit")
    # Two spellings of a class are one class.
    classes, codes = merged(spelled, given)
    if len(classes) < 2:
        raise InputError(
            "y must contain at least two classes, got 1 class in several spellings: "
            f"{', '.join(map(repr, spelled.tolist()[:5]))}.",
            owner="audit",
            parameter="y",
        )
    features = telling_columns(X)
    units = units_of(features, groups, codes=codes, owner="audit")
    batches = None if batch is None else _batch_codes(batch, len(X))
    rng = check_random_state(random_state)
    # The report lists constant columns as findings, and states a lack of signal.
    with ignored(ConstantFeatures, LabelsSayNothing):
        places = model_features(features, codes)
        members = opinions(places, codes, units.of_row, rng)
    p = blended(members)
    table = AuditedTable(X, names, classes, codes, spelled[given], units, places)
    is_judged = ~np.isin(codes, too_rare(codes, units, len(classes)))
    ranked = _ranked(table, members, is_judged, rate, rng)
    trusted = np.ones(len(X), dtype=bool)
    trusted[ranked.ranking[: ranked.n_flagged]] = False
    outliers, inside = outlying_rows(places), trusted.copy()
    inside[outliers] = False  # a single far row would determine all directions
    groups_in_classes = hidden_groups(table, inside, rng)
    effect = None
    if batches is not None:
        effect = judged_batches(places, batches, codes, units.of_row, rng)
    source = groups if batch is None else batch
    swaps = [] if source is None else _swaps(table, source, rng)
    columns = names if columns is None else list(columns)
    report = AuditReport(
        table,
        float(rate),
        ranked,
        p,
        suspects_of(table, p, ranked, trusted),
        findings=[
            *spelled_alike(spelled, given),
            *table_findings(table, columns, gaps or {}, p, rng),
            *shapes(groups_in_classes, outliers, effect, swaps),
        ],
        hidden_groups=groups_in_classes,
        typical=typical_rows(places, codes, trusted, len(classes), rng),
        outliers=outliers,
        batch=effect,
        swaps=swaps,
        _has_few=np.bincount(codes[~is_judged], minlength=len(classes)) > 0,
    )
    return report.with_differences()


def _ranked(
    table: AuditedTable,
    members: dict[str, Floats],
    is_judged: Bools,
    rate: float,
    rng: RandomState,
) -> Discoveries:
    """Return the rows ranked by suspicion, and the number of suspects."""
    # If groups share classes, as donors do, a group can have several labels.
    codes, units = table.codes, table.units
    inner = units.inside(codes)
    of_row, groups = (units.of_row, None) if inner is None else (inner, units.of_row)
    crossed = crossing(table.places, codes, of_row)
    return discoveries(members, codes, of_row, is_judged, rate, rng, groups, crossed)


def _swaps(table: AuditedTable, source: Any, rng: Any) -> list[Swap]:
    """Return class names that look swapped in one batch or group."""
    names: dict[Any, int] = {}
    batch = np.array(
        [
            -1 if one is None or one != one else names.setdefault(one, len(names))
            for one in np.asarray(source).tolist()
        ]
    )
    rows = np.flatnonzero(batch >= 0)
    if len(rows) > MOST_FOR_SWAPS:
        rows = rows[drawn_by_class(batch[rows], MOST_FOR_SWAPS, rng)]
    places, codes, copies = (
        part[rows] for part in (table.places, table.codes, table.units.first_copy)
    )
    return [
        replace(
            swap,
            batch=list(names)[swap.batch],
            classes=tuple(table.classes[list(swap.classes)].tolist()),
            rows=rows[swap.rows],
        )
        for swap in swapped_names(places, codes, batch[rows], copies, rng)
    ]


def _batch_codes(batch: Any, n_rows: int) -> Ints:
    """Return the index of the batch of each row."""
    labels = label_array(batch, owner="audit")
    if labels.shape != (n_rows,):
        raise not_one_each("batch", n_rows, labels.shape, owner="audit", what="value")
    kinds, codes = np.unique(labels, return_inverse=True)
    if len(kinds) < 2:
        raise InputError(
            "batch must contain at least two batches, got 1. Omit batch.",
            owner="audit",
            parameter="batch",
        )
    return codes
