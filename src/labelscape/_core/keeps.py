"""What each map keeps, in one sentence for people: cards, scenes and docs say the same.

Our estimators say it themselves, in ``_keeps``; the table here speaks for others.
"""

from typing import Any

# By the name of the class. Names that end so count as well.
OF_OTHERS = {
    "KernelPCA": "The directions of most variance, in the space of a kernel.",
    "PCA": "The directions in which the data vary most; labels have no say.",
    "TruncatedSVD": "The directions in which the data vary most; labels have no say.",
    "LinearDiscriminantAnalysis": (
        "The classical linear plane: class means far apart, classes narrow."
    ),
    "NeighborhoodComponentsAnalysis": (
        "A linear plane in which nearest neighbours have the same class."
    ),
    "TSNE": "Neighbours stay neighbours; long distances mean little.",
    "UMAP": "Neighbours stay neighbours; long distances mean little.",
    "MDS": "All distances, as far as a plane can keep them; labels have no say.",
    "Isomap": "Distances along the data, as far as a plane can keep them.",
    "SVC": "A smooth border that few objects hold up.",
    "RandomForestClassifier": "The vote of many decision trees.",
    "LogisticRegression": "A straight border, with probabilities.",
}


def what_it_keeps(estimator: type[Any]) -> str:
    """Return the sentence of a class, ours or not."""
    if hasattr(estimator, "_keeps"):
        return str(estimator._keeps)
    name = estimator.__name__
    if name in OF_OTHERS:
        return OF_OTHERS[name]
    near = (words for known, words in OF_OTHERS.items() if name.endswith(known))
    return next(near, f"A map by {name}.")
