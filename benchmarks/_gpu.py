"""Shared parts of GPU benchmarks: the device, its rates, and timed runs."""

import argparse
from time import perf_counter

# Specification of an H200: bytes per second, and operations per second in single
# precision, or of matrix products in double precision.
BYTES_PER_SECOND, FLOPS = 4.8e12, 67e12


class Machine:
    """The device of a benchmark: a GPU with PyTorch, or CPU cores with NumPy."""

    def __init__(self, cpu):
        self.torch = None
        if not cpu:
            import torch

            print(torch.cuda.get_device_name())
            self.torch = torch

    def arrays(self, *given):
        """Return NumPy arrays on the device, in the same precision."""
        if self.torch is None:
            return given
        return tuple(self.torch.asarray(A, device="cuda") for A in given)

    def wait(self):
        """Wait until all operations have finished."""
        if self.torch is not None:
            self.torch.cuda.synchronize()

    def timed(self, function, turns):
        """Return the seconds and the result of ``function(turn)`` for each turn."""
        found = []
        for turn in range(turns):
            self.wait()
            start = perf_counter()
            result = function(turn)
            self.wait()
            found.append((perf_counter() - start, result))
        return found


def parser_of(description):
    """Return a command-line parser with the option ``--cpu``."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--cpu", action="store_true", help="the compiled loops")
    return parser
