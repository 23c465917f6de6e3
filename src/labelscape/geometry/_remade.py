"""What a metric makes of its parameters and attributes, and anew when they change.

Among it are copies of the metric at other places, for who asks about tensors.
"""

from functools import cached_property

from labelscape._core.points.moving import Movable


class Remade(Movable):
    """Mixin of models with cached properties, which ``_rebuilt`` names."""

    def __setattr__(self, name, value):
        # What was made of other parameters and attributes is made anew.
        super().__setattr__(name, value)
        for made in self._rebuilt:
            vars(self).pop(made, None)

    def __dir__(self):
        # Scikit-learn's asks for every attribute, and so does a notebook: that would
        # set off computations, and raise what these raise.
        names = [name for name in object.__dir__(self) if name not in self._rebuilt]
        return [name for name in names if hasattr(self, name)]

    def __getstate__(self):
        # What is quickly made anew, and knows libraries and devices.
        left = ("_distances", "_elsewhere")
        return {k: v for k, v in super().__getstate__().items() if k not in left}

    @cached_property
    def _elsewhere(self):
        """Copies of the metric at other places."""
        return {}

    def _moved(self, xp, device):
        key = xp and xp.__name__, str(device)
        if key not in self._elsewhere:
            self._elsewhere[key] = super()._moved(xp, device)
        return self._elsewhere[key]
