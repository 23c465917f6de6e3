import numpy as np
import pytest

from labelscape.plotting._theme import (
    BOTH,
    COLORS,
    FALSE,
    MARKERS,
    TEARS,
    TRUE,
    class_colors,
    class_markers,
    distortion_colors,
    from_linear,
    from_oklab,
    lightened,
    linear,
    oklab,
    rgb,
)

# Machado, Oliveira, Fernandes (2009), full severity, on linear RGB.
BLINDNESS = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def contrast(color, other):
    """Return how well two colors stand out from each other: 1 (not) to 21 (WCAG)."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    light = sorted(float(linear(rgb(c)) @ weights) + 0.05 for c in (color, other))
    return light[1] / light[0]


def seen(colors, blindness):
    """Return colors in OKLab, as seen with a kind of color blindness."""
    if blindness is None:
        return oklab(colors)
    simulated = linear(np.asarray(colors)) @ np.array(BLINDNESS[blindness]).T
    return from_linear(np.clip(simulated, 0.0, 1.0))


def nearest_pair(colors, blindness):
    lab = seen([rgb(color) for color in colors], blindness)
    gaps = np.linalg.norm(lab[:, None] - lab[None, :], axis=2)
    return gaps[np.triu_indices(len(colors), 1)].min()


@pytest.mark.parametrize("blindness", [None, *BLINDNESS])
def test_twelve_colours_differ_for_every_kind_of_colour_vision(blindness):
    # The eight colours of Okabe and Ito, made for this purpose, come as near as 0.076
    # by the same measure (deuteranopia).
    assert nearest_pair(COLORS, blindness) > 0.09


@pytest.mark.parametrize("blindness", [None, *BLINDNESS])
def test_the_first_three_colours_are_the_farthest_apart(blindness):
    assert nearest_pair(COLORS[:3], blindness) > 0.25


def test_colours_stand_out_on_white_paper_and_on_a_dark_screen():
    assert min(contrast(color, "#FFFFFF") for color in COLORS) > 1.85
    assert min(contrast(color, "#0E1116") for color in COLORS) > 1.5


def test_contrast_is_that_of_the_web_guidelines():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


def test_up_to_twelve_classes_are_told_apart_by_colour_alone():
    assert len(set(class_colors(12))) == 12
    assert set(class_markers(12)) == {"o"}


@pytest.mark.parametrize("n_classes", [13, 40, len(COLORS) * len(MARKERS)])
def test_more_classes_are_told_apart_by_colour_and_shape(n_classes):
    looks = zip(class_colors(n_classes), class_markers(n_classes), strict=True)
    assert len(set(looks)) == n_classes


def test_oklab_and_back_is_the_same_colour():
    colors = np.array([rgb(color) for color in COLORS])
    np.testing.assert_allclose(from_oklab(oklab(colors)), colors, atol=1e-6)


def test_oklab_of_white_is_pure_lightness():
    np.testing.assert_allclose(oklab([[1.0, 1.0, 1.0]]), [[1, 0, 0]], atol=1e-6)


def test_the_corners_of_the_distortion_colours_are_the_four_kinds():
    colors = distortion_colors([0, 1, 0, 1], [0, 0, 1, 1])
    wanted = np.array([rgb(corner) for corner in (TRUE, FALSE, TEARS, BOTH)])
    np.testing.assert_allclose(colors, wanted, atol=1e-6)


def test_distortions_beyond_the_limit_get_the_full_colour():
    np.testing.assert_allclose(
        distortion_colors([7.0], [0.0])[0], rgb(FALSE), atol=1e-6
    )


@pytest.mark.parametrize("blindness", [None, *BLINDNESS])
def test_false_neighbours_and_tears_differ_for_everybody(blindness):
    assert nearest_pair((TRUE, FALSE, TEARS, BOTH), blindness) > 0.2


def test_lightened_colours_go_from_white_to_the_colour():
    np.testing.assert_allclose(lightened(["#0A58B8"], 0.0), [[1, 1, 1]])
    np.testing.assert_allclose(lightened(["#0A58B8"], 1.0), [rgb("#0A58B8")])
