"""Model files: one documented, versioned file that never runs code when loaded.

A file is a zip of arrays and a JSON manifest; ``docs/model_files.md`` is its format.
"""

from labelscape._model_file._archive import ModelFileError
from labelscape._model_file._file import load, save
from labelscape._model_file._registry import can_hold

__all__ = ["ModelFileError", "can_hold", "load", "save"]
