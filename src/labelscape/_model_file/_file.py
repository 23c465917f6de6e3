"""Saving a model to a file, and loading it."""

import os
import stat
import warnings
from pathlib import Path
from typing import Any

from labelscape._core.errors import FileName, InputError, InputWarning
from labelscape._core.output import write_atomically
from labelscape._core.params import arguments, flag
from labelscape._core.params import path as path_rule
from labelscape._model_file._archive import MAGIC, ModelFileError, pack, unpack
from labelscape._model_file._registry import model_names, name_of
from labelscape._model_file._skops import is_other
from labelscape._model_file._tree import TreeReader, TreeWriter


@arguments(path=path_rule(), include_data=flag())
def save(
    model: Any, path: str | os.PathLike[str], *, include_data: bool = False
) -> None:
    """Write a model to one file; :func:`load` returns an identical model.

    The file is a zip of arrays and a JSON manifest. If writing fails, an older file at
    ``path`` remains unchanged.

    Parameters
    ----------
    model : estimator
        Any estimator of Labelscape or a scikit-learn pipeline, usually fitted. Other
        models of scikit-learn need ``labelscape[skops]``.
    path : str or path-like
        The file to write. Its folder must exist; an older file is replaced.
    include_data : bool, default=False
        Whether to include attributes that contain fitted samples, such as the
        ``embedding_`` of a map. Without these attributes, you can share the file
        without sharing the data. The file's manifest lists what is left out. Some
        models consist of samples (`ICF`, a prototype that is a sample, Parzen points
        that you passed). The file then contains these samples, and ``save`` warns.

    Notes
    -----
    A ``callback`` is not part of the model: it is saved as None.

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
            f"{type(model)}. Model files contain {', '.join(model_names())} and, with "
            "skops, other models of scikit-learn."
        )
    writer = TreeWriter(include_data)
    try:
        tree = writer.estimator(model, type(model).__name__)
    except RecursionError:
        raise TypeError(
            "save: the parameters of the model are nested too deep, or contain the "
            "model itself. Replace these parameters before saving."
        ) from None
    for held, what in (
        (writer.samples, "training samples, because the model consists of them"),
        (writer.others, "all attributes of these models, maybe training samples"),
    ):
        if held and not include_data:
            warnings.warn(
                InputWarning(
                    f"save: the file contains {what}: {', '.join(held)}. To "
                    "confirm that you may share them, pass include_data=True."
                ),
                stacklevel=2,
            )
    write_atomically(Path(path), pack(tree, writer.arrays))


@arguments(path=path_rule())
def load(path: str | os.PathLike[str]) -> Any:
    """Return the model that :func:`save` wrote to a file, without running any code.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    model : estimator
        The model, ready to predict or transform. Attributes that the file does not
        include are not set.

    Raises
    ------
    ModelFileError
        If the file is not a model file, is damaged, was written by a newer Labelscape,
        or contains invalid fitted attributes. The error is a ValueError.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import labelscape
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "notes.txt"
    ...     _ = path.write_text("not a model")
    ...     labelscape.load(path)
    Traceback (most recent call last):
    ...
    labelscape._model_file._archive.ModelFileError: Cannot load ...notes.txt': it is
    not a Labelscape model file.
    """
    data = _content(Path(path))
    try:
        tree, arrays = unpack(data)
        return TreeReader(arrays).estimator(tree)
    except ImportError:  # a broken installation, not a broken file
        raise
    except Exception as error:
        # Besides our own checks, damaged bytes may raise any error in the readers of
        # zip, JSON and arrays, and in constructors.
        reason = f"it is damaged ({type(error).__name__}: {error})"
        if isinstance(error, ModelFileError):
            reason = str(error)
        elif isinstance(error, InputError):  # a model that was never fitted
            reason = f"it does not contain a fitted model. {error}".removesuffix(".")
        raise _refusal(Path(path), reason) from error


def _content(path: Path) -> bytes:
    """Return the bytes of a file, or the first ones if it cannot be a model."""
    # Opening a device may have effects, and opening a pipe waits for a writer. A file
    # may also be replaced between the two looks.
    _check_plain(path, path.stat())
    no_wait = getattr(os, "O_NONBLOCK", 0)
    with open(
        path, "rb", opener=lambda name, how: os.open(name, how | no_wait)
    ) as file:
        _check_plain(path, os.fstat(file.fileno()))
        first = file.peek(len(MAGIC))
        return file.read() if first.startswith(MAGIC) else first[: len(MAGIC)]


def _check_plain(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise _refusal(path, "it is a folder, a pipe or a device, not a file")


def _refusal(path: Path, reason: str) -> ModelFileError:
    return ModelFileError("Cannot load ", FileName(path, whole=True), f": {reason}.")
