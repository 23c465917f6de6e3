"""Constructors of a family of estimators: inherited parameters, and a few new ones.

scikit-learn reads an estimator's parameters off the signature of its constructor. In a
family, each model would repeat the twenty that all share; here it names its own.
"""

import inspect


def parameters(**own):
    """Give a class the constructor of its base, with these parameters or defaults too.

    Examples
    --------
    >>> class Plain:
    ...     def __init__(self, tol=0.1):
    ...         self.tol = tol
    >>> @parameters(n_components=2)
    ... class Map(Plain):
    ...     pass
    >>> vars(Map(n_components=3))
    {'tol': 0.1, 'n_components': 3}
    """

    def decorate(model):
        inherited = inspect.signature(model.__init__).parameters
        new = {
            name: inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
            for name, value in own.items()
        }
        signature = inspect.Signature(list({**inherited, **new}.values()))

        def store(self, *args, **kwargs):
            given = signature.bind(self, *args, **kwargs)
            given.apply_defaults()
            for name, value in list(given.arguments.items())[1:]:
                setattr(self, name, value)

        store.__signature__ = signature
        store.__name__, store.__qualname__ = (
            "__init__",
            f"{model.__qualname__}.__init__",
        )
        model.__init__ = store
        return model

    return decorate
