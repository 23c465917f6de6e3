"""The audit: which labels seem to be wrong, and what else is odd about a table."""

from labelscape.auditing._audit import audit
from labelscape.auditing._batch import Batches
from labelscape.auditing._evidence import Against, Suspect
from labelscape.auditing._groups import HiddenGroups
from labelscape.auditing._parting import Effect, Parting
from labelscape.auditing._report import AuditReport, MixedPair
from labelscape.auditing.findings.record import Finding

__all__ = [
    "Against",
    "AuditReport",
    "Batches",
    "Effect",
    "Finding",
    "HiddenGroups",
    "MixedPair",
    "Parting",
    "Suspect",
    "audit",
]
