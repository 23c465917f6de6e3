"""Decision regions under a map: pale areas, with smooth borders between them."""

import numpy as np

from labelscape.plotting._palette import lightened

RESOLUTION = 400
# Of the map's larger side, on each side of its middle. Axes grow in one direction to
# keep both to one scale; the regions must reach as far as that can be.
REACH = 1.1


def draw_regions(ax, scores, Z, classes):
    """Draw the class of the highest score at each place around the points Z (n, 2).

    ``scores`` takes places (m, 2) and returns one column per class (m, C). Borders are
    where the lead of a class changes its sign, so they are as smooth as the scores.
    """
    middle = (Z.min(axis=0) + Z.max(axis=0)) / 2
    half = REACH * max(np.ptp(Z, axis=0).max(), np.finfo(float).tiny)
    steps = np.linspace(-half, half, RESOLUTION)
    x, y = middle[0] + steps, middle[1] + steps
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    S = np.asarray(scores(grid), dtype=np.float64)
    if S.shape != (len(grid), len(classes.labels)):
        raise ValueError(
            f"regions must give one score for each of the {len(classes.labels)} "
            f"classes, got shape {S.shape} for {len(grid)} places."
        )
    winners = S.argmax(axis=1).reshape(RESOLUTION, RESOLUTION)
    ax.imshow(
        lightened(classes.colors, 0.22)[winners],
        extent=(x[0], x[-1], y[0], y[-1]),
        origin="lower",
        aspect="auto",
        interpolation="bilinear",
        zorder=0,
    )
    for c in np.unique(winners):
        lead = _lead(S, c).reshape(RESOLUTION, RESOLUTION)
        if lead.min() < 0 < lead.max():
            ax.contour(
                x, y, lead, levels=[0.0], colors="white", linewidths=1.2, zorder=1
            )


def _lead(S, c):
    """Return by how much class c is ahead of the best other class."""
    return S[:, c] - np.delete(S, c, axis=1).max(axis=1)
