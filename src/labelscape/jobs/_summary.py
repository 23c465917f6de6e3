"""What an audit says in a few lines, as a terminal prints them beside a map."""

from collections.abc import Iterator

from labelscape._core.arguments import arguments, instance
from labelscape._core.errors import PYTHON, Wording
from labelscape.auditing import AuditReport

# So many pairs of classes are named.
PAIRS = 3


@arguments(report=instance(AuditReport), wording=instance(Wording))
def audit_lines(report: AuditReport, wording: Wording = PYTHON) -> list[str]:
    """Return the lines that the Summary of a page has: labels, classes, table.

    Parameters
    ----------
    report : AuditReport
        What `audit_table` returned.
    wording : Wording, default=PYTHON
        How the host calls the settings that mend a table.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> from labelscape.jobs import audit_lines, audit_table
    >>> print(audit_lines(audit_table(load("wine")))[0])
    Labels: No more labels look wrong among 178 than hard objects explain.
    """
    return [*_lines(report, wording)]


def _lines(report: AuditReport, wording: Wording) -> Iterator[str]:
    yield f"Labels: {report.summary}"
    mixed = ", ".join(
        f"{a} and {b} ({share:.1%})" for a, b, share in report.pairs[:PAIRS]
    )
    yield f"Mixed up: {mixed or 'no two classes'}."
    for (a, b), parting in report.partings.items():
        if parting.best:
            features = ", ".join(parting.best[-1])
            right = parting.accuracy[-1]
            yield f"What parts {a} from {b}: {features} ({right:.0%} of new objects)."
    for finding in report.findings:
        yield f"Table: {finding.words(wording)}"
    if not report.findings:
        yield "Table: nothing odd was found."
