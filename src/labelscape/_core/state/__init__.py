"""What a fitted model must be: declared on the class, as rules of parameters are.

An estimator lists its own attributes, and inherits those of its bases::

    class Prototypes(BaseEstimator):
        _learned: ClassVar = {
            "classes_": classes(),
            "prototypes_": numbers("prototypes", "features"),
            "n_iter_": whole(0),
        }

Shapes are given in named sizes. A size is what the first attribute says that has it,
and all others must agree: ``features`` is ``n_features_in_``, which every estimator
has. A declaration is an `Attribute`, a rule, or a function of the model that returns
one of these, where it depends on parameters.

Compiled loops trust their arrays. So `check_fitted` stands before them, and tells who
has set an attribute by hand, or crafted a model file, what is wrong with it.
"""

from labelscape._core.state.attributes import (
    COMMON,
    Attribute,
    Declared,
    Learned,
    StateError,
    classes,
    curve,
    declares,
    indices,
    labels,
    numbers,
    one_each,
    optional,
    or_none,
    record,
    resolved,
    table,
    text,
    truths,
    value,
    whole_numbers,
)
from labelscape._core.state.checking import (
    check_fitted,
    check_learned,
    check_loaded,
    check_record,
    fitted_of,
    part,
)

__all__ = [
    "COMMON",
    "Attribute",
    "Declared",
    "Learned",
    "StateError",
    "check_fitted",
    "check_learned",
    "check_loaded",
    "check_record",
    "classes",
    "curve",
    "declares",
    "fitted_of",
    "indices",
    "labels",
    "numbers",
    "one_each",
    "optional",
    "or_none",
    "part",
    "record",
    "resolved",
    "table",
    "text",
    "truths",
    "value",
    "whole_numbers",
]
