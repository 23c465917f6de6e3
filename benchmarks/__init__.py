"""Side-by-side runs against peers, and the papers' tables beside ours.

``python -m benchmarks`` lists them, ``python -m benchmarks NAME`` runs one.
"""

import os
from pathlib import Path

# Where the papers' data sets are, unless the variable says otherwise.
_DATA = Path(__file__).parents[2] / "shared" / "data"
if _DATA.is_dir():
    os.environ.setdefault("LABELSCAPE_DATA", str(_DATA))
