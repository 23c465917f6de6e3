"""Arrays of other libraries, for tests; array-api-strict has a device of its own."""

import numpy as np
import pytest

from labelscape._core.rows.device import device_of
from labelscape._core.rows.kinds import namespace_of, to_numpy


class Library:
    """A library whose arrays are followed, and a device of it."""

    def __init__(self, name, device):
        self.xp = pytest.importorskip(name)
        self.device = self.xp.Device(device) if name == "array_api_strict" else device

    def __call__(self, values):
        return self.xp.asarray(np.asarray(values), device=self.device)

    def holds(self, array):
        """Return whether an array is of this library, and on the device."""
        is_own = namespace_of(array) is namespace_of(self([0.0]))
        return is_own and device_of(array) == device_of(self([0.0]))


LIBRARIES = {
    "strict": ("array_api_strict", "device1"),
    "torch": ("torch", "cpu"),
}
each_library = pytest.mark.parametrize("library", LIBRARIES)


def library_of(name):
    return Library(*LIBRARIES[name])


def near(found, expected, **tolerance):
    np.testing.assert_allclose(to_numpy(found), expected, **tolerance)
