"""Column names: models that were fitted to a data frame want one again."""


def named_as(fitted, X):
    """Return X with the column names that a model was fitted to, if it was to any."""
    names = getattr(fitted, "feature_names_in_", None)
    if names is None or len(names) != X.shape[1]:
        return X
    import pandas as pd  # names come from a data frame

    return pd.DataFrame(X, columns=names)
