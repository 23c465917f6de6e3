from ._classifier_map import plot_classifier_comparison, plot_classifier_map
from ._map import compare_maps, plot_map
from ._models import (
    plot_discriminative_map,
    plot_growth,
    plot_learning_curve,
    plot_relevances,
    plot_s,
)
from ._prototypes import plot_comparison, plot_prototype_map
from ._theme import class_colors
from ._trust import plot_distortion, plot_rank_curve, plot_shepard, plot_trust_curve

__all__ = [
    "class_colors",
    "compare_maps",
    "plot_classifier_comparison",
    "plot_classifier_map",
    "plot_comparison",
    "plot_discriminative_map",
    "plot_distortion",
    "plot_growth",
    "plot_learning_curve",
    "plot_map",
    "plot_prototype_map",
    "plot_rank_curve",
    "plot_relevances",
    "plot_s",
    "plot_shepard",
    "plot_trust_curve",
]
