"""The view and the figures draw classes in the same colours."""

import re
from pathlib import Path

from labelscape.plotting._palette import COLORS

VIEW = Path(__file__).parents[2] / "view/src"


def test_the_view_has_the_colours_of_the_figures_in_their_order():
    source = (VIEW / "color/colors.ts").read_text(encoding="utf-8")
    listed = re.search(r"export const COLORS = \[(.*?)\]", source, re.DOTALL).group(1)
    assert tuple(re.findall(r'"(#[0-9A-F]{6})"', listed)) == COLORS
