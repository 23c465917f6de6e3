"""Fig. 1: the first five digits of USPS by NE-XOM; angle and boldness come apart."""

import numpy as np

from benchmarks.nexom_paper import usps_images
from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p002._maps import map_of
from labelscape.plotting import plot_map

ENOUGH = 0.2


def slant(images):
    """Return how far each image (n, 256) leans: by the second moments of its ink."""
    ink = images.reshape(-1, 16, 16) - images.min()
    y, x = np.indices((16, 16)) - 7.5
    total = ink.sum(axis=(1, 2))
    x_mean, y_mean = (ink * x).sum((1, 2)) / total, (ink * y).sum((1, 2)) / total
    off_x, off_y = x - x_mean[:, None, None], y - y_mean[:, None, None]
    return (ink * off_x * off_y).sum((1, 2)) / (ink * off_y**2).sum((1, 2))


def explained(Z, y, values):
    """Return the part of a value's variance inside digits that places explain."""
    parts = []
    for digit in np.unique(y):
        places = np.column_stack([Z[y == digit], np.ones(np.sum(y == digit))])
        own = values[y == digit]
        fit = places @ np.linalg.lstsq(places, own, rcond=None)[0]
        parts.append(1.0 - np.var(own - fit) / np.var(own))
    return float(np.mean(parts))


def main():
    images, y = usps_images(), np.repeat(np.arange(5), 800)
    Z = map_of("usps", "NE-XOM")
    rows = [
        row(
            f'"keeps apart different angles and thickness of handwriting": {what}',
            "apart",
            f"{100 * (part := explained(Z, y, values)):.0f}% of variance explained",
            f"by positions, mean over digits; reached if at least {100 * ENOUGH:.0f}%",
            holds(part >= ENOUGH),
        )
        for what, values in {
            "slant": slant(images),
            "boldness": images.mean(axis=1),
        }.items()
    ]
    record("002", "Fig. 1", rows, figure=plot_map(Z, y.astype(str)).figure)


if __name__ == "__main__":
    main()
