"""Names of this package that other packages use but users do not."""

from labelscape.jobs.place import kept_model, positions_by_pieces
from labelscape.jobs.scenes import explaining, with_audit

__all__ = [
    "explaining",
    "kept_model",
    "positions_by_pieces",
    "with_audit",
]
