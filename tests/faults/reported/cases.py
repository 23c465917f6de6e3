"""All reported faults: importing a file of this folder registers its cases."""

import importlib
from pathlib import Path

from tests.faults.reported.registry import REPORTED

__all__ = ["REPORTED"]

for file in sorted(Path(__file__).parent.glob("of_*.py")):
    importlib.import_module(f"tests.faults.reported.{file.stem}")
