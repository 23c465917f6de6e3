"""The audit: labels that look wrong, and other problems of a table."""

from labelscape.quality.audit._audit import audit
from labelscape.quality.audit._audit import audited as audited  # for jobs
from labelscape.quality.audit.batches import Batches
from labelscape.quality.audit.class_difference import ClassDifference, Effect
from labelscape.quality.audit.evidence import Against, Suspect
from labelscape.quality.audit.groups import HiddenGroups
from labelscape.quality.audit.report import NOT_CHECKED as NOT_CHECKED  # for hosts
from labelscape.quality.audit.report import AuditReport
from labelscape.quality.records import Finding, MixedPair

__all__ = [
    "Against",
    "AuditReport",
    "Batches",
    "ClassDifference",
    "Effect",
    "Finding",
    "HiddenGroups",
    "MixedPair",
    "Suspect",
    "audit",
]
