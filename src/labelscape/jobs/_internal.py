"""The door for other rooms: what hosts ask of jobs, and no user does."""

from labelscape.jobs._auditing import audit_or_reason
from labelscape.jobs._mapping import MANY_ROWS
from labelscape.jobs._placement_scene import placement_scene
from labelscape.jobs._placing import kept_model
from labelscape.jobs._scenes import with_audit

__all__ = [
    "MANY_ROWS",
    "audit_or_reason",
    "kept_model",
    "placement_scene",
    "with_audit",
]
