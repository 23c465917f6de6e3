"""What measurements on a GPU share: the device, its rates, and turns by the clock."""

import argparse
from time import perf_counter

# What an H200 is sold with: bytes a second, and operations a second of numbers in
# single precision, or of products of matrices in double precision.
BYTES_PER_SECOND, FLOPS = 4.8e12, 67e12


class Machine:
    """Where a benchmark runs: on the GPU by PyTorch, or on the cores with NumPy."""

    def __init__(self, cpu):
        self.torch = None
        if not cpu:
            import torch

            print(torch.cuda.get_device_name())
            self.torch = torch

    def arrays(self, *given):
        """Return arrays of NumPy where the benchmark runs, in their own precision."""
        if self.torch is None:
            return given
        return tuple(self.torch.asarray(A, device="cuda") for A in given)

    def wait(self):
        """Wait until all that was asked for is done."""
        if self.torch is not None:
            self.torch.cuda.synchronize()

    def timed(self, function, turns):
        """Return the seconds of each turn, and what ``function(turn)`` returned."""
        found = []
        for turn in range(turns):
            self.wait()
            start = perf_counter()
            result = function(turn)
            self.wait()
            found.append((perf_counter() - start, result))
        return found


def parser_of(description):
    """Return a parser of the command line that knows ``--cpu``."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--cpu", action="store_true", help="the compiled loops")
    return parser
