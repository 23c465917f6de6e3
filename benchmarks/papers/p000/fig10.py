"""Fig. 10: the satellite data on the maps of LiRaM and LLiRaM LVQ, in 2D and 3D."""

from benchmarks.papers._record import record
from benchmarks.papers._verdict import NOT_JUDGED, row
from benchmarks.papers.p000._satellite import (
    SETTINGS,
    accuracies,
    fitted,
    satimage,
    some_of_each,
)
from labelscape.plotting import compare_maps

SHOWN = 100  # objects of each class


def pictured(names, item):
    """Draw the maps of some methods in two and three dimensions, and record them."""
    X, y = satimage()[:2]
    few = some_of_each(y, SHOWN)
    rows, maps = [], {}
    for name in names:
        for dimensions in (2, 3):
            title = f"{name}, {dimensions}D"
            maps[title] = fitted(name, dimensions).transform(X[few])
            ours = accuracies(name, dimensions)
            printed = "a picture of Colorado"
            settings = f"satimage, {SETTINGS[name]}"
            rows.append(row(title, printed, ours, settings, NOT_JUDGED))
    record("000", item, rows, figure=compare_maps(maps, y[few], columns=2))


def main():
    pictured(("LiRaM LVQ", "LLiRaM LVQ"), "Fig. 10")


if __name__ == "__main__":
    main()
