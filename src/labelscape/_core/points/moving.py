"""Fitted models at another place: for who asks about tensors after a fit by NumPy.

What a model learns follows the objects of its fit. To answer about objects elsewhere, a
copy of it has its arrays there.
"""

import copy
from typing import Any

from labelscape._core.points.arrays import moved, where_is
from labelscape._core.points.following import check_dispatch


class Movable:
    """Mixin of models whose fitted arrays are where the objects of the fit are.

    ``_following`` names these arrays; the first tells where they are, and all fits have
    it.
    """

    _following: tuple[str, ...]

    @property
    def _place(self) -> tuple[Any, Any]:
        """Functions of a library and a device, see `where_is`."""
        return where_is(getattr(self, self._following[0]))

    def _at(self, X: Any, asked: str) -> Any:
        """Return the model where X is: itself, or a copy with its arrays there.

        ``asked`` is the method that X was given to; X may be None.
        """
        if X is None or where_is(X) == self._place:
            return self
        if self._place[0] is not None:
            check_dispatch(self, asked)
        return self._moved(*where_is(X))

    def _moved(self, xp: Any, device: Any) -> Any:
        """Return a copy of the model with its arrays on a device."""
        there = copy.copy(self)
        there._move(xp, device)
        return there

    def _move(self, xp: Any, device: Any) -> None:
        for name in self._following:
            value = vars(self).get(name)
            if value is not None:
                setattr(self, name, moved(value, xp, device))
