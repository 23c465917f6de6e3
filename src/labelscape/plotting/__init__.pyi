from ._classifier_map import plot_classifier_comparison, plot_classifier_map
from ._learning_curve import plot_growth, plot_learning_curve
from ._map import compare_maps, plot_map
from ._matrix_models import plot_discriminative_map, plot_relevances
from ._palette import class_colors
from ._prototype_bars import plot_comparison
from ._prototype_map import plot_prototype_map
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
    "plot_shepard",
    "plot_trust_curve",
]
