"""What goes wrong with a model file."""

from labelscape._core.errors import InputError


class ModelFileError(InputError):
    """A file that holds no model this Labelscape can read; the message says why.

    Examples
    --------
    >>> issubclass(ModelFileError, ValueError)
    True
    """
