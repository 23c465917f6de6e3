"""Decisions of a classifier on a grid: colour for the class, strength for certainty."""

from itertools import pairwise

import numpy as np

from labelscape.plotting._palette import FRAME, INK, PAPER, rgb

# How much colour a cell has where the classifier knows nothing, and where all.
PALEST, FULLEST = 0.06, 0.5
# Far from all data there is less of it.
FAR_SHARE = 0.45
# Colours of a class, from pale to full.
N_SHADES = 8
# Lines of equal certainty, where the classifier has degrees of it.
LEVELS = (0.6, 0.8, 0.95)
# What lies on what: all above the colours (0) and below the points (1).
HATCHES, ISOLINES, BORDERS = 0.5, 0.6, 0.7


def draw_decisions(ax, regions, classes, *, isolines=True):
    """Draw Regions: colours, borders, lines of equal certainty, hatching without data.

    ``classes`` gives the looks, for all classes of the regions.
    """
    _draw_areas(ax, regions, classes)
    _hatch(ax, regions)
    _look_at(ax, regions)
    if isolines:
        _draw_isolines(ax, regions)
    _draw_borders(ax, regions)


def draw_cells(ax, regions, colors):
    """Draw a colour (n_rows, n_columns, 3) for each cell, hatched far from all data."""
    ax.imshow(
        colors,
        extent=_sides(regions),
        origin="lower",
        interpolation="bilinear",
        zorder=0,
    )
    _hatch(ax, regions)
    _look_at(ax, regions)


def _sides(regions):
    """Return left, right, bottom and top of the cells."""
    half = (regions.x[1] - regions.x[0]) / 2.0
    return tuple(np.add(regions.box, (-half, half, -half, half)))


def _look_at(ax, regions):
    left, right, bottom, top = _sides(regions)
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    ax.set_aspect("equal", adjustable="box")


def _draw_areas(ax, regions, classes):
    """Draw regions as areas, which stay sharp and can be edited in a vector file."""
    share = _strengths(regions)
    # Cells end half a step further out than their middles.
    left, right, bottom, top = _sides(regions)
    x = np.concatenate([[left], regions.x, [right]])
    y = np.concatenate([[bottom], regions.y, [top]])
    shades = np.linspace(0.0, FULLEST, N_SHADES + 1)
    for c, own in enumerate(classes.indices(regions.classes)):
        field = np.pad(np.where(regions.winners == c, share, 0.0), 1, mode="edge")
        # Each shade lies on the paler one, so that no gap shows between two.
        for low, high in pairwise(shades):
            level = max(low, PALEST * FAR_SHARE / 2.0)
            if field.max() > level:
                color = 1.0 - (level + high) / 2.0 * (1.0 - rgb(classes.colors[own]))
                ax.contourf(x, y, field, levels=[level, 1.0], colors=[color], zorder=0)


def fitting_size(regions, longest=6.4, n_panels=1):
    """Return the size of a figure whose panels have the shape of the grid."""
    width, height = len(regions.x), len(regions.y)
    unit = longest / max(width, height)
    # Room for a title above, and for the names of classes beside.
    return n_panels * unit * width + 1.0, unit * height + 0.4


def _strengths(regions):
    """Return how much of its colour each cell has."""
    # Probabilities end at chance, decision values at 0.
    least = min(1.0 / len(regions.classes), regions.certainty.min())
    sure = (regions.certainty - least) / (1.0 - least)
    share = PALEST + (FULLEST - PALEST) * sure
    return np.where(regions.far, FAR_SHARE * share, share)


def _hatch(ax, regions):
    """Hatch what is far from all data, lightly: there the picture is a guess."""
    if regions.far.any():
        area = ax.contourf(
            regions.x,
            regions.y,
            regions.far,
            levels=[0.5, 1.5],
            hatches=["////"],
            colors="none",
            zorder=HATCHES,
        )
        area.set_edgecolor(FRAME)
        area.set_linewidth(0.0)


def _draw_borders(ax, regions):
    """Draw where decisions change: where the lead of a class, signed, is 0.

    On both sides of a border the runner-up is the class on the other side, so leads
    tell how far away the border is, and it is smooth though the grid is not.
    """
    for c in np.unique(regions.winners):
        lead = np.where(regions.winners == c, regions.lead, -regions.lead)
        if lead.min() < 0.0 < lead.max():
            ax.contour(
                regions.x,
                regions.y,
                lead,
                levels=[0.0],
                colors=PAPER,
                linewidths=1.4,
                zorder=BORDERS,
            )


def _draw_isolines(ax, regions):
    near = np.ma.masked_where(regions.far, regions.certainty)
    levels = [level for level in LEVELS if near.min() < level < near.max()]
    if levels:
        ax.contour(
            regions.x,
            regions.y,
            near,
            levels=levels,
            colors=INK,
            alpha=0.35,
            linewidths=0.6,
            zorder=ISOLINES,
        )
