"""Fig. 8: the prototypes of breast-w and their features."""

from sklearn.model_selection import StratifiedKFold, cross_val_score

from benchmarks.papers._record import record
from benchmarks.papers._verdict import at_least, holds, row
from benchmarks.papers.p003._sets import SCALED, feature_names, scaled, two_axes
from labelscape.plotting import plot_comparison, plot_prototype_map
from labelscape.prototypes import PushAndGrow

# The default is content with one prototype of each class.
MODELS = {
    "default": PushAndGrow(),
    "alpha = 16, tol = .002": PushAndGrow(alpha=16, tol=0.002),
}


def main():
    X, y = scaled("breast-w")
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    rows = []
    for name, model in MODELS.items():
        settings = f"{name}, {SCALED}"
        accuracy = 100 * cross_val_score(model, X, y, cv=folds).mean()
        fitted = model.fit(X, y)
        W, labels = fitted.prototypes_, fitted.prototype_labels_
        malign, benign = W[labels == "malignant"], W[labels == "benign"]
        rows += [
            row(
                "accuracy",
                97.1,
                f"{accuracy:.1f}",
                f"10 folds, {settings}",
                at_least(97.1, accuracy),
            ),
            row(
                "prototypes",
                "2 malign, 1 benign",
                f"{len(malign)} malign, {len(benign)} benign",
                settings,
                holds((len(malign), len(benign)) == (2, 1)),
                "other settings, see below; in Table 3 the paper has one of each, too",
            ),
            row(
                "benign: small values of all features",
                "yes",
                f"of {(benign.max(axis=0) < malign.min(axis=0)).sum()} of {X.shape[1]}",
                settings,
                holds((benign.max(axis=0) < malign.min(axis=0)).all()),
            ),
        ]
    figure, (left, right) = two_axes(13)
    plot_comparison(fitted, feature_names=feature_names("breast-w"), ax=right)
    plot_prototype_map(fitted, X[::20], title="prototypes and some samples", ax=left)
    record("003", "Fig. 8", rows, figure=figure)


if __name__ == "__main__":
    main()
