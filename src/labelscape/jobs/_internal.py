"""Internal names of this package, for other packages of the library."""

from labelscape.jobs.place import kept_model, positions_by_pieces
from labelscape.jobs.scenes import explaining, with_audit

__all__ = [
    "explaining",
    "kept_model",
    "positions_by_pieces",
    "with_audit",
]
