"""New rows that were placed on a map: their results, files and page."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.columns import UnknownCategory
from labelscape._core.plain import attributes, plain
from labelscape._core.types import Array, Floats, Ints
from labelscape.datasets import ShownColumn, Table
from labelscape.datasets._internal import continued
from labelscape.jobs.csv_text import AXES, cell_text
from labelscape.jobs.scenes import data_of
from labelscape.jobs.words import counted
from labelscape.quality.drift import Placement, TableMap
from labelscape.scene import Scene, Subject, Trust, build_scene
from labelscape.scene import scene as records

MOST_CLASSES = 12  # maximum number of classes with their own line
# Maximum number of shifted features in a record, and of names in a sentence.
MOVED, LISTED = 10, 5


class PlacedRows(NamedTuple):
    """New rows that were placed on a saved map.

    Attributes
    ----------
    placement : Placement
        Positions of the placed rows, and tests of outliers and drift.
    ids : ndarray of shape (n_rows,) or None
        The names of all new rows; None if they have no names.
    X : ndarray of shape (n_placed, n_features)
        The features of the placed rows.
    filled : ndarray of int of shape (n_rows,)
        Number of imputed cells in each row.
    rows : ndarray of int of shape (n_placed,)
        Indices of the placed rows: all rows that have at least one value.
    unknown : list of UnknownCategory
        Cells with a category that is not in the table of the map (treated as missing).
    """

    placement: Placement
    ids: Array | None
    X: Floats
    filled: Ints
    rows: Ints
    unknown: list[UnknownCategory]

    @property
    def empty(self) -> list[int]:
        """The rows without any value, which are left out."""
        placed = {*self.rows.tolist()}
        return [row for row in range(len(self.filled)) if row not in placed]

    @property
    def filled_words(self) -> str:
        """A sentence on the number of imputed cells; empty if there are none."""
        cells = self.filled[self.rows]
        if not cells.any():
            return ""
        n, n_rows = int(cells.sum()), int((cells > 0).sum())
        were = "was" if n == 1 else "were"
        missing = f"{counted(n, 'missing cell')} in {counted(n_rows, 'row')}"
        return f"{missing} {were} replaced by the mean of the column."

    @property
    def unknown_words(self) -> str:
        """A sentence on new categories and their rows; empty if there are none."""
        rows_of: dict[tuple[str, str], list[int]] = {}
        for one in self.unknown:
            rows_of.setdefault((one.column, one.word), []).append(one.row)
        if not rows_of:
            return ""
        parts = [
            f"{column} {word[:40]!r} in {self._named(rows)}"
            for (column, word), rows in list(rows_of.items())[:LISTED]
        ]
        if more := len(rows_of) - len(parts):
            parts.append(f"{more:,} more")
        return (
            "Categories that do not occur in the training data "
            f"(treated as missing): {', '.join(parts)}."
        )

    @property
    def empty_words(self) -> str:
        """A sentence on the rows that are left out; empty if there are none."""
        if not self.empty:
            return ""
        return f"Left out because all values are missing: {self._named(self.empty)}."

    @property
    def words(self) -> str:
        """All sentences about the new rows."""
        more = (self.filled_words, self.unknown_words, self.empty_words)
        return "\n".join([str(self.placement), *filter(None, more)])

    def record(self) -> dict[str, Any]:
        """Return all results about the rows as plain values, for scripts."""
        placement = self.placement
        return {
            "n_rows": len(self.filled),
            "n_placed": len(self.rows),
            "n_filled": int(self.filled[self.rows].sum()),
            "empty": self.empty,
            "unknown": plain(self.unknown),
            "n_unlike": int(placement.unlike.sum()),
            **attributes(placement, ("rate", "drift_p", "has_drifted")),
            "moved": plain(placement.moved[:MOVED]),
            "words": self.words,
            "rows": self._row_records(),
        }

    def _row_records(self) -> list[dict[str, Any]]:
        """Return a record of each new row; a row that is left out only has its name."""
        placement = self.placement
        axes = AXES[: placement.positions.shape[1]]
        classes = [] if placement.classes is None else placement.classes.tolist()
        chances = [f"p({cell_text(name)})" for name in classes]
        names = [*axes, "class", "p_unlike", "unlike", "set", *chances]
        index = {row: i for i, row in enumerate(self.rows.tolist())}
        records = []
        for row in range(len(self.filled)):
            values: list[Any] = [None] * len(names)
            if (i := index.get(row)) is not None:
                answers, P = placement.predictions, placement.probabilities
                values = [
                    *placement.positions[i].tolist(),
                    None if answers is None else cell_text(answers[i]),
                    float(placement.p_unlike[i]),
                    bool(placement.unlike[i]),
                    _set_text(placement, i),
                    *([] if P is None else P[i].tolist()),
                ]
            records.append(
                {
                    "row": row,
                    "id": None if self.ids is None else cell_text(self.ids[row]),
                    **dict(zip(names, values, strict=True)),
                    "filled": None if i is None else int(self.filled[row]),
                }
            )
        return records

    def csv(self) -> str:
        """Return a table of the new rows as CSV text."""
        rows = self._row_records()
        file = StringIO(newline="")
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return file.getvalue()

    def scene(self, scene: Scene, table: Table, kept: TableMap, **about: Any) -> Scene:
        """Return the scene of the map, with the new rows added.

        Parameters
        ----------
        scene, table, kept : Scene, Table, TableMap
            The scene of the map, the table of the map, and the saved map.
        **about
            ``name`` of the new data, and ``labels``, ``shown`` columns and ``texts`` of
            the new rows, if any.
        """
        return placement_scene(scene, table, kept, self, **about)

    def _named(self, rows: Sequence[int]) -> str:
        """Return the names of rows as text: their ids, or else their numbers."""
        names = [str(row if self.ids is None else self.ids[row]) for row in rows]
        more = f" and {len(names) - LISTED:,} more" if names[LISTED:] else ""
        return f"row{'s' * (len(rows) > 1)} {', '.join(names[:LISTED])}{more}"


def _set_text(placement: Placement, row: int) -> str | None:
    """Return the prediction set of a row as text; None if the map has no such sets."""
    if placement.in_set is None or placement.classes is None:
        return None
    names = placement.classes[placement.in_set[row]]
    return "; ".join(map(cell_text, names)) or "none of these"


def placement_scene(
    scene: Scene,
    table: Table,
    kept: TableMap,
    placed: PlacedRows,
    *,
    name: str,
    labels: Sequence[str | None] | None = None,
    shown: Sequence[ShownColumn] = (),
    texts: Sequence[str | None] | None = None,
) -> Scene:
    """Return the scene of a map with new rows on it."""
    placement, rows, n_old = placed.placement, placed.rows, scene.n_points
    n_new = len(rows)
    known = [None] * n_new if labels is None else [labels[i] for i in rows]
    new_classes = sorted({one for one in known if one is not None} - {*scene.classes})
    classes = _Codes([*scene.classes, *new_classes])
    old_predictions = kept.classifier.predict(table.X).tolist()
    predictions = [str(one) for one in np.asarray(placement.predictions).tolist()]
    before = scene.maps[0]
    if kept.classifier is not kept.projection:
        # The regions belong to the model that explains the classes, but another model
        # predicts new rows.
        before = replace(before, regions=None)
    # Content shown with old and new rows; missing for new rows without it.
    more = {one.name: one.take(rows) for one in shown}
    columns = [continued(one, more.get(one.name), n_new) for one in table.shown]
    gaps: list[Any] = [None] * n_new
    new_texts = gaps if texts is None else [texts[i] for i in rows]
    built = build_scene(
        Subject(_positions(before, placement.positions)),
        replace(
            data_of(table),
            X=np.concatenate([table.X, placed.X]),
            y=None,
            ids=None,
            held_out=np.arange(n_old + n_new) >= n_old,
            columns=columns or None,
            texts=None if table.texts is None else [*table.texts, *new_texts],
            **table.pictures(n_new),
        ),
        Trust(quality=False),
        title=f"{name} on {scene.title}",
    )
    names, new_names = scene.ids, placed.ids
    ids = [str(i) if names is None else names[i] for i in range(n_old)]
    for i in rows.tolist():
        ids.append(f"new {i}" if new_names is None else str(new_names[i]))
    looks: Any = scene.looks
    if looks is not None:  # the next indices for new classes
        more_looks = np.arange(len(scene.classes), len(classes.names))
        looks = np.concatenate([looks, more_looks]).astype(classes.dtype)
    return replace(
        built,
        subtitle=f"{scene.subtitle}, {counted(n_new, 'new row')}",
        classes=tuple(classes.names),
        labels=np.concatenate([classes.again(scene.labels), classes.of(known)]),
        predictions=classes.of([*old_predictions, *predictions]),
        ids=records.Texts.of(ids),
        maps=(_with_new(before, built.maps[0], classes),),
        methods=scene.methods,
        looks=looks,
        new_rows=records.NewRows(
            name, tuple(_lines(placed, known, predictions, scene))
        ),
    )


def _positions(before: records.SceneMap, new: Floats) -> Array:
    """Return the positions of old and new rows, in the dimensions of the map."""
    if before.depth is None:
        return np.concatenate([before.positions, records.two_columns(new)])
    old = np.column_stack([before.positions, before.depth.points])
    return np.concatenate([old, new.astype(np.float32)])


class _Codes:
    """Indices of classes: the classes of the map, then the new classes of new rows."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.dtype = np.uint8 if len(names) < records.MANY_CLASSES else np.uint16
        self._index = {name: c for c, name in enumerate(names)}
        self._none = np.iinfo(self.dtype).max

    def of(self, labels: Sequence[Any]) -> Array:
        """Return the class index of each label; the index of None is the largest."""
        index = [self._index.get(str(label), self._none) for label in labels]
        return np.array(index, dtype=self.dtype)

    def again(self, codes: Any) -> Array:
        """Convert class indices of a scene to the integer type of the new indices."""
        was_none = codes == np.iinfo(codes.dtype).max
        return np.where(was_none, self._none, codes).astype(self.dtype)


def _with_new(
    before: records.SceneMap, drawn: records.SceneMap, classes: _Codes
) -> records.SceneMap:
    """Add the positions of new rows to a map; remove what is unknown for new rows."""
    regions, right = before.regions, before.judged_right
    n_new = len(drawn.positions) - len(before.positions)
    if regions is not None:
        labels = classes.again(regions.labels)
        regions = replace(regions, labels=labels, contradicts=None)
    if right is not None:
        right = np.concatenate([right, np.full(n_new, np.nan, dtype=np.float32)])
    return replace(
        before,
        positions=drawn.positions,
        depth=drawn.depth,
        prototypes=None,
        distortion=None,
        regions=regions,
        judged_right=right,
        place_errors=None,
    )


# Results about new rows, one line each.


def _lines(
    placed: PlacedRows,
    known: Sequence[str | None],
    predictions: Sequence[str],
    scene: Scene,
) -> Iterator[records.NewRowsLine]:
    line, placement = records.NewRowsLine, placed.placement
    n_new = len(placement.positions)
    every = np.arange(scene.n_points, scene.n_points + n_new, dtype=np.uint32)
    unlike = every[placement.unlike]
    is_usual = len(unlike) <= placement.rate * n_new
    state: Any = "none"
    if placement.can_tell:
        state = "good" if is_usual else "fair"
    yield line(state, placement.unlike_words, unlike)
    state = "fair" if placement.has_drifted else "good"
    yield line(state, placement.drift_words, every)
    for one in placement.moved_most:
        yield line("none", f"Shifted: {one}.", every[:0], one.feature)
    if words := placed.filled_words:
        yield line("none", words, every[placed.filled[placed.rows] > 0])
    if words := placed.unknown_words:
        rows = [one.row for one in placed.unknown]
        yield line("fair", words, every[np.isin(placed.rows, rows)])
    if words := placed.empty_words:
        yield line("fair", words, every[:0])
    predicted = np.array(predictions)
    # A line for each class, the largest first.
    counts = Counter(predictions).most_common()
    for name, n in counts[:MOST_CLASSES]:
        words = f"{counted(n, 'row')} predicted as {name}."
        yield line("none", words, every[predicted == name])
    if others := [name for name, _ in counts[MOST_CLASSES:]]:
        rows_of_others = every[np.isin(predicted, others)]
        many = counted(len(rows_of_others), "row")
        words = f"{many} predicted as one of {len(others)} other classes."
        yield line("none", words, rows_of_others)
    yield from _known(known, predicted, every, scene.classes)


def _known(
    known: Sequence[str | None],
    predicted: Array,
    every: NDArray[np.uint32],
    classes: Sequence[str],
) -> Iterator[records.NewRowsLine]:
    """Yield lines that compare the predictions with known classes of new rows."""
    names = np.array(["" if one is None else one for one in known])
    is_known = np.array([one is not None for one in known])
    is_new = is_known & ~np.isin(names, classes)
    compared = is_known & ~is_new
    wrong = compared & (names != predicted)
    if compared.any():
        words = (
            f"{int(wrong.sum()):,} of {counted(int(compared.sum()), 'row')} with a "
            "known class predicted as another class."
        )
        state: Any = "fair" if wrong.any() else "good"
        yield records.NewRowsLine(state, words, every[wrong])
    if is_new.any():
        new = ", ".join(sorted(set(names[is_new].tolist())))
        words = (
            f"{counted(int(is_new.sum()), 'row')} with a class that is not on the "
            f"map: {new}."
        )
        yield records.NewRowsLine("fair", words, every[is_new])
