"""Loading a model."""

import os
from pathlib import Path
from typing import Any

from labelscape._core.arguments import arguments
from labelscape._core.arguments import path as path_rule
from labelscape._core.errors import FileName, InputError
from labelscape._model_file._archive import MAGIC, unpack
from labelscape._model_file._errors import ModelFileError
from labelscape._model_file._tree import model_from


@arguments(path=path_rule())
def load(path: str | os.PathLike[str]) -> Any:
    """Return the model that :func:`save` wrote to a file; never runs code from it.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    model : estimator
        The model, ready to predict or transform. Training data that the file was not
        asked to hold are absent: such attributes are not set.

    Raises
    ------
    ModelFileError
        If the file is no model file, is damaged, was written by a newer Labelscape, or
        holds a model that is not as a fit leaves it. It is a ValueError.

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
    labelscape._model_file._errors.ModelFileError: Can not load ...notes.txt': it is not
    a Labelscape model file.
    """
    with Path(path).open("rb") as file:
        # What is no model file is refused by its first bytes, however large it is.
        first = file.peek(len(MAGIC))
        data = file.read() if first.startswith(MAGIC) else first[: len(MAGIC)]
    try:
        tree, arrays = unpack(data)
        return model_from(tree, arrays)
    except ImportError:  # a broken installation, not a broken file
        raise
    except Exception as error:
        # Beside our own checks, bad bytes make the readers of zip, JSON and arrays and
        # the constructors of models raise whatever they like.
        reason = f"it is damaged ({type(error).__name__}: {error})"
        if isinstance(error, ModelFileError):
            reason = str(error)
        elif isinstance(error, InputError):  # a model that no fit has made
            reason = f"it holds no model as a fit leaves it. {error}".removesuffix(".")
        raise ModelFileError(
            "Can not load ", FileName(Path(path), whole=True), f": {reason}."
        ) from error
