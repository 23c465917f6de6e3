"""New rows on the page of a map that was there before."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape.datasets import ShownColumn, Table
from labelscape.datasets._internal import continued
from labelscape.jobs.place import PlacedRows
from labelscape.jobs.words import counted
from labelscape.quality.drift import TableMap
from labelscape.scene import Data, Scene, Subject, Trust, build_scene
from labelscape.scene import scene as records

# At most this many classes have a line of their own.
MOST_CLASSES = 12

Rows = NDArray[np.uint32]


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
    """Return what the page of new rows shows: the map of before, and them on it."""
    found, rows = placed.placement, placed.rows
    n_new = len(rows)
    known = [None] * n_new if labels is None else [labels[i] for i in rows]
    shown = [one.take(rows) for one in shown]
    texts = None if texts is None else [texts[i] for i in rows]
    strange = sorted({one for one in known if one is not None} - {*scene.classes})
    classes = _Codes([*scene.classes, *strange])
    taken_for = kept.classifier.predict(table.X).tolist()
    said = [str(one) for one in np.asarray(found.predictions).tolist()]
    before = scene.maps[0]
    if kept.classifier is not kept.projection:
        # Its regions are those of a model that explains the classes of before, and
        # not of the one that predicts those of new rows.
        before = replace(before, regions=None)
    built = build_scene(
        Subject(_all_places(before, found.positions)),
        Data(
            np.concatenate([table.X, placed.X]),
            feature_names=table.feature_names,
            feature_kinds=table.encoder.feature_kinds,
            imputed=table.imputed,
            categories=table.categories,
            held_out=np.arange(scene.n_points + n_new) >= scene.n_points,
            **_beside(table, n_new, shown, texts),
        ),
        Trust(quality=False),
        title=f"{name} on {scene.title}",
    )
    return replace(
        built,
        subtitle=f"{scene.subtitle}, {counted(n_new, 'new row')}",
        classes=tuple(classes.names),
        labels=np.concatenate([classes.again(scene.labels), classes.of(known)]),
        predictions=classes.of([*taken_for, *said]),
        ids=records.Texts.of([*_names(scene), *_new_names(placed)]),
        maps=(_with_new(before, built.maps[0], classes),),
        methods=scene.methods,
        looks=_looks(scene, classes),
        new_rows=records.NewRows(name, tuple(_lines(placed, known, said, scene))),
    )


def _beside(
    table: Table,
    n_new: int,
    shown: Sequence[ShownColumn],
    texts: Sequence[str | None] | None,
) -> dict[str, Any]:
    """Return what is shown with old and new rows; a gap where new ones have nothing."""
    more = {one.name: one for one in shown}
    columns = [continued(one, more.get(one.name), n_new) for one in table.shown]
    gaps = [None] * n_new
    texts = gaps if texts is None else texts
    return {
        "columns": columns or None,
        "texts": None if table.texts is None else [*table.texts, *texts],
        "images": None if table.images is None else [*table.images, *gaps],
    }


def _all_places(before: records.SceneMap, new: NDArray[np.float64]) -> NDArray[Any]:
    """Return where old and new rows are, with as many columns as the map has."""
    if before.depth is None:
        return np.concatenate([before.positions, records.two_columns(new)])
    old = np.column_stack([before.positions, before.depth.points])
    return np.concatenate([old, new.astype(np.float32)])


class _Codes:
    """Classes of before, in their order, and those that came with new rows."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self._index = {name: c for c, name in enumerate(names)}
        self._dtype = np.uint8 if len(names) < records.MANY_CLASSES else np.uint16
        self._none = np.iinfo(self._dtype).max

    def of(self, labels: Sequence[Any]) -> NDArray[Any]:
        """Return the index of each label; None has none."""
        index = [self._index.get(str(label), self._none) for label in labels]
        return np.array(index, dtype=self._dtype)

    def again(self, codes: Any) -> NDArray[Any]:
        """Return codes of before in the type of these."""
        was_none = codes == np.iinfo(codes.dtype).max
        return np.where(was_none, self._none, codes).astype(self._dtype)


def _looks(scene: Scene, classes: _Codes) -> NDArray[Any] | None:
    """Return the looks that classes had before, and the next ones for new classes."""
    if scene.looks is None:
        return None
    more = np.arange(len(scene.classes), len(classes.names))
    return np.concatenate([scene.looks, more]).astype(classes.again(scene.looks).dtype)


def _names(scene: Scene) -> Iterator[str]:
    for i in range(scene.n_points):
        yield str(i) if scene.ids is None else scene.ids[i]


def _new_names(placed: PlacedRows) -> Iterator[str]:
    for i in placed.rows.tolist():
        yield f"new {i}" if placed.ids is None else str(placed.ids[i])


def _with_new(
    before: records.SceneMap, shown: records.SceneMap, classes: _Codes
) -> records.SceneMap:
    """Return the map with all that was known of it, and new rows on it."""
    regions, judged = before.regions, before.judged_right
    n_new = len(shown.positions) - len(before.positions)
    if regions is not None:
        labels = classes.again(regions.labels)
        regions = replace(regions, labels=labels, contradicts=None)
    if judged is not None:
        judged = np.concatenate([judged, np.full(n_new, np.nan, dtype=np.float32)])
    return replace(
        before,
        positions=shown.positions,
        depth=shown.depth,
        prototypes=None,
        distortion=None,
        regions=regions,
        judged_right=judged,
    )


# What is known of new rows, one line each.


def _lines(
    placed: PlacedRows, known: Sequence[str | None], said: Sequence[str], scene: Scene
) -> Iterator[records.NewRowsLine]:
    found = placed.placement
    first, n_new = scene.n_points, len(found.positions)
    every = np.arange(first, first + n_new, dtype=np.uint32)
    unlike = every[found.unlike]
    is_usual = len(unlike) <= found.rate * n_new
    state = "good" if is_usual else "fair"
    yield _line(state if found.can_tell else "none", found.unlike_words, unlike)
    yield _line("fair" if found.has_drifted else "good", found.drift_words, every)
    for one in found.moved_most:
        yield _line("none", f"Moved: {one}.", every[:0], one.feature)
    if words := placed.filled_words:
        yield _line("none", words, every[placed.filled[placed.rows] > 0])
    if words := placed.unknown_words:
        rows = [one.row for one in placed.unknown]
        yield _line("fair", words, every[np.isin(placed.rows, rows)])
    if words := placed.empty_words:
        yield _line("fair", words, every[:0])
    yield from _taken(np.array(said), every)
    yield from _known(known, np.array(said), every, scene.classes)


def _line(
    state: Any, words: str, rows: Rows, feature: str | None = None
) -> records.NewRowsLine:
    return records.NewRowsLine(state, words, rows, feature)


def _taken(said: NDArray[Any], every: Rows) -> Iterator[records.NewRowsLine]:
    """Yield a line for each class that rows are taken for, the largest first."""
    counts = Counter(said.tolist()).most_common()
    for name, n in counts[:MOST_CLASSES]:
        rows = every[said == name]
        yield _line("none", f"{counted(n, 'row')} taken for {name}.", rows)
    if others := [name for name, _ in counts[MOST_CLASSES:]]:
        rows = every[np.isin(said, others)]
        words = f"{counted(len(rows), 'row')} taken for {len(others)} other classes."
        yield _line("none", words, rows)


def _known(
    known: Sequence[str | None],
    said: NDArray[Any],
    every: Rows,
    classes: Sequence[str],
) -> Iterator[records.NewRowsLine]:
    """Yield what the classes of new rows say, where they have some."""
    names = np.array(["" if one is None else one for one in known])
    is_known = np.array([one is not None for one in known])
    strange = is_known & ~np.isin(names, classes)
    judged = is_known & ~strange
    wrong = judged & (names != said)
    if judged.any():
        words = (
            f"{counted(int(wrong.sum()), 'row')} of {int(judged.sum()):,} whose class "
            "is known taken for another one."
        )
        yield _line("fair" if wrong.any() else "good", words, every[wrong])
    if strange.any():
        new = ", ".join(sorted(set(names[strange].tolist())))
        words = (
            f"{counted(int(strange.sum()), 'row')} of classes that the map does not "
            f"know: {new}."
        )
        yield _line("fair", words, every[strange])
