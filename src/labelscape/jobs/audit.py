"""The audit of a table: labels that look wrong, and other problems."""

import csv
from io import StringIO
from typing import Any

from labelscape._core.errors import readable
from labelscape._core.params import arguments, instance, number, optional
from labelscape._core.plain import attributes, plain
from labelscape.datasets import Table
from labelscape.jobs.order import RunOrder
from labelscape.jobs.words import Begin, Step, pairs_record, silent
from labelscape.quality.audit import AuditReport, Suspect, audited

# Larger tables are only audited on request: an audit takes half a minute or more.
MOST_ROWS = 5_000
NOT_REQUESTED = "the audit was not requested"
# The columns of the CSV file.
COLUMNS = (
    *("row", "id", "given", "likely", "p_given", "p_likely", "chance_wrong", "rank"),
    *("suspect", "near_given", "near_likely", "against"),
)
NEAR = ("near_given", "near_likely")
# Attributes of the report that are written to JSON as they are.
NUMBERS = ("expected_false", "share_wrong", "can_tell", "summary", "has_signal")


@arguments(rate=number(above=0.0, below=1.0), **RunOrder.rules("certify"))
def audit_table(
    table: Table,
    *,
    rate: float = 0.1,
    seed: int = 0,
    begin: Begin | None = None,
    batch: Any = None,
) -> AuditReport:
    """Find labels that look wrong, and other problems in a table.

    Parameters
    ----------
    table : Table
        Labeled data, from `labelscape.datasets.read_table` or ``load``.
    rate : float, default=0.1
        Maximum expected share of false alarms among the suspects.
    seed, begin
        As for `map_table`.
    batch : array-like of shape (n_rows,), default=None
        The batch of each row, such as a plate or a day.

    Returns
    -------
    AuditReport

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> report = audit_table(load("wine"))
    >>> [finding.code for finding in report.findings]
    ['order']
    """
    if table.y is None:
        raise ValueError(f"{table.name!r} has no classes, but an audit needs them.")
    (begin or silent)(Step("auditing"))
    # The rows with missing values of each column.
    gaps = {
        code.name: table.imputed[code.feature_names[0]]
        for code in table.encoder.codes
        if code.feature_names and code.feature_names[0] in table.imputed
    }
    return audited(
        table.X,
        table.y,
        table.groups,
        rate,
        seed,
        names=table.feature_names,
        columns=table.encoder.feature_columns,
        gaps=gaps,
        batch=batch,
    )


def audit_or_reason(
    table: Table,
    wanted: bool | AuditReport | None,
    *,
    seed: int = 0,
    begin: Begin | None = None,
) -> tuple[AuditReport | None, str]:
    """Return the audit of a table, or None and the reason why there is no audit."""
    if isinstance(wanted, AuditReport):
        return wanted, ""
    if wanted is None and len(table.X) > MOST_ROWS:
        return None, f"tables of more than {MOST_ROWS:,} rows are audited on request"
    if wanted is False:
        return None, NOT_REQUESTED
    try:
        return audit_table(table, seed=seed, begin=begin), ""
    except ValueError as error:  # a single class, or too few rows
        return None, " ".join(str(error).split()).rstrip(".")


@arguments(report=instance(AuditReport), table=optional(instance(Table)))
def audit_record(report: AuditReport, table: Table | None = None) -> dict[str, Any]:
    """Return an audit as plain values; suspects have ids if the table has ids."""
    ids = None if table is None else table.ids

    def rows(listed: list[Suspect], *, suspect: bool) -> list[dict[str, Any]]:
        records = []
        for rank, one in enumerate(listed, 1 if suspect else len(report.records) + 1):
            values = plain(one) | {"id": None if ids is None else str(ids[one.row])}
            values |= {"rank": rank, "suspect": suspect}
            records.append({name: values[name] for name in COLUMNS})
        return records

    return {
        "rate": report.rate,
        "n_suspects": len(report.suspects),
        **attributes(report, NUMBERS),
        "suspects": rows(report.records, suspect=True),
        "look_first": rows(report.look_first, suspect=False),
        "pairs": pairs_record(report.pairs),
        "class_differences": plain([*report.class_differences.values()]),
        "hidden_groups": [
            attributes(one, ("label", "chance"))
            | {"sizes": [len(rows) for rows in one.rows]}
            | attributes(one, ("rows", "difference"))
            for one in report.hidden_groups
        ],
        "typical": [
            [str(name), int(row)]
            for name, row in zip(report.classes, report.typical, strict=True)
        ],
        **attributes(report, ("outliers", "batch", "findings")),
    }


@arguments(report=instance(AuditReport), table=optional(instance(Table)))
def audit_csv(report: AuditReport, table: Table | None = None) -> str:
    """Return the suspects, and the next rows in the ranking, as CSV text.

    The column ``suspect`` is true for suspects, whose false-alarm rate is limited.
    """
    text = StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    record = audit_record(report, table)
    for row in record["suspects"] + record["look_first"]:
        # All values of a list are written into one cell.
        near = {name: " ".join(map(str, row[name])) for name in NEAR}
        against = ", ".join(
            f"{one['feature']} = {one['value']:g} (typically {one['usual_given']:g}, "
            f"{one['usual_likely']:g} in {row['likely']})"
            for one in row["against"]
        )
        writer.writerow(row | near | {"against": against})
    return readable(text.getvalue())
