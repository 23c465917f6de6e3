"""The door for other rooms: what hosts ask of jobs, and no user does."""

from labelscape.jobs._auditing import audit_or_reason
from labelscape.jobs._mapping import MANY_ROWS
from labelscape.jobs._positions import positions_by_pieces
from labelscape.jobs._scenes import with_audit
from labelscape.jobs._settable import Part, split
from labelscape.jobs.placing._rows import kept_model
from labelscape.jobs.placing._scene import placement_scene

__all__ = [
    "MANY_ROWS",
    "Part",
    "audit_or_reason",
    "kept_model",
    "placement_scene",
    "positions_by_pieces",
    "split",
    "with_audit",
]
