"""The figures that we make; imported when one is made, because matplotlib is."""

from matplotlib import rc_context
from matplotlib.figure import Figure


class TextFigure(Figure):
    """A figure whose text stays text in an SVG: searched, edited, read aloud.

    A setting of the figure alone: those of the user are not changed.
    """

    def savefig(self, *args, **options):
        """Write the figure to a file, as matplotlib does."""
        with rc_context({"svg.fonttype": "none"}):
            return super().savefig(*args, **options)
