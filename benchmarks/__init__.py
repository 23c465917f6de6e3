"""Benchmarks: comparisons with other programs, and reproductions of papers.

``python -m benchmarks`` lists the benchmarks, ``python -m benchmarks NAME`` runs one.
"""

import os
from pathlib import Path

# The default folder of the data sets of papers.
_DATA = Path(__file__).parents[2] / "shared" / "data"
if _DATA.is_dir():
    os.environ.setdefault("LABELSCAPE_DATA", str(_DATA))
