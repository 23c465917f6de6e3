"""Internal names of this package, for other packages of the library."""

from labelscape.jobs.csv_text import positions_by_pieces
from labelscape.jobs.place import kept_model
from labelscape.jobs.scenes import with_audit

__all__ = [
    "kept_model",
    "positions_by_pieces",
    "with_audit",
]
