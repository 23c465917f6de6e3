"""What goes wrong with a model file."""


class ModelFileError(ValueError):
    """A file that holds no model this Labelscape can read; the message says why.

    Examples
    --------
    >>> issubclass(ModelFileError, ValueError)
    True
    """
