"""Saving a model."""

import os
import warnings
from pathlib import Path
from typing import Any

from labelscape._core.arguments import arguments
from labelscape._core.arguments import path as path_rule
from labelscape._core.atomic import write_atomically
from labelscape._core.errors import InputWarning
from labelscape._core.rules import flag
from labelscape._model_file._archive import pack
from labelscape._model_file._registry import model_names, name_of
from labelscape._model_file._skops import is_other
from labelscape._model_file._tree import TreeWriter


@arguments(path=path_rule(), include_data=flag())
def save(
    model: Any, path: str | os.PathLike[str], *, include_data: bool = False
) -> None:
    """Write a model to one file, from which :func:`load` gives it back bit by bit.

    The file is a zip of arrays and a JSON manifest, written so that a crash at any
    moment leaves an older file at ``path`` whole.

    Parameters
    ----------
    model : estimator
        Any estimator of Labelscape or a scikit-learn pipeline, usually fitted. With
        ``labelscape[skops]``, also classifiers of scikit-learn.
    path : str or path-like
        Where to write. The folder must exist; an older file is replaced.
    include_data : bool, default=False
        Whether to keep what the model remembers of the objects it was fitted to, such
        as the ``embedding_`` of a map. Without it the file can be given away without
        giving away the data; the attributes left out are listed in its manifest. Some
        models are made of objects (`ICF`, a prototype that stands for one object,
        Parzen points that you gave): these are in the file all the same, and a warning
        says so.

    Notes
    -----
    A ``callback`` watches a fit and is no part of the model: it is saved as None.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn.datasets import load_iris
    >>> import labelscape
    >>> from labelscape.embeddings import LFDA
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LFDA().fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     labelscape.save(model, Path(folder) / "iris.model")
    ...     again = labelscape.load(Path(folder) / "iris.model")
    >>> bool((again.transform(X) == model.transform(X)).all())
    True
    """
    if not name_of(model) and not is_other(model):
        raise TypeError(
            "save: model must be an estimator of Labelscape or scikit-learn, got "
            f"{type(model)}. Model files hold {', '.join(model_names())}; and other "
            "models of scikit-learn, by skops."
        )
    writer = TreeWriter(include_data)
    tree = writer.estimator(model, type(model).__name__)
    if writer.objects:
        warnings.warn(
            InputWarning(
                f"save: the file holds objects of the fit, because the model is made "
                f"of them: {', '.join(writer.objects)}. Pass include_data=True to say "
                "that this is meant, or do not give the file away."
            ),
            stacklevel=2,
        )
    if writer.others and not include_data:
        warnings.warn(
            InputWarning(
                "save: the file holds all that these models keep, which may be rows of "
                f"the fit: {', '.join(writer.others)}. Pass include_data=True to say "
                "that this is meant, or do not give the file away."
            ),
            stacklevel=2,
        )
    write_atomically(Path(path), pack(tree, writer.arrays))
