"""Figures: each function takes a finished result and draws it with matplotlib."""

from importlib import import_module

# Each name and the file it lives in. Files are loaded when a figure is asked for, so
# that entering this room does not import matplotlib.
_FILES = {
    "class_colors": "_palette",
    "compare_maps": "_compare_maps",
    "plot_classifier_comparison": "_classifier_map",
    "plot_classifier_map": "_classifier_map",
    "plot_comparison": "_prototype_bars",
    "plot_discriminative_map": "_discriminative_map",
    "plot_distortion": "_distortion",
    "plot_growth": "_learning_curve",
    "plot_learning_curve": "_learning_curve",
    "plot_map": "_map",
    "plot_prototype_map": "_prototype_map",
    "plot_rank_curve": "_rank_curve",
    "plot_relevances": "_relevances",
    "plot_shepard": "_shepard",
    "plot_trust_curve": "_rank_curve",
}

__all__ = list(_FILES)


def __getattr__(name):
    if name not in _FILES:
        raise AttributeError(f"module 'labelscape.plotting' has no attribute {name!r}")
    return getattr(import_module(f"labelscape.plotting.{_FILES[name]}"), name)


def __dir__():
    return sorted(__all__)
