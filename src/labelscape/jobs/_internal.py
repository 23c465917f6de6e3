"""The door for other rooms: what hosts ask of jobs, and no user does."""

from labelscape.jobs._auditing import MOST_ROWS as AUDITED_ROWS
from labelscape.jobs._auditing import audit_or_reason
from labelscape.jobs._choosing import CANDIDATES, TRIED_ON
from labelscape.jobs._comparing import QUICK
from labelscape.jobs._comparing import ROWS as COMPARED_ROWS
from labelscape.jobs._mapping import FEWER_ROWS, MANY_ROWS, THOROUGH, Effort
from labelscape.jobs._positions import positions_by_pieces
from labelscape.jobs._scenes import with_audit
from labelscape.jobs._settable import Part, split
from labelscape.jobs.placing._rows import kept_model
from labelscape.jobs.placing._scene import placement_scene

__all__ = [
    "AUDITED_ROWS",
    "CANDIDATES",
    "COMPARED_ROWS",
    "FEWER_ROWS",
    "MANY_ROWS",
    "QUICK",
    "THOROUGH",
    "TRIED_ON",
    "Effort",
    "Part",
    "audit_or_reason",
    "kept_model",
    "placement_scene",
    "positions_by_pieces",
    "split",
    "with_audit",
]
