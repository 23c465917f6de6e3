"""An audit in the records of a scene: values for the view, sentences made last."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from labelscape._core.errors import PYTHON, InputError, Setting, Wording
from labelscape.auditing import AuditReport, Finding, Parting, Suspect
from labelscape.auditing._internal import ASSUMED
from labelscape.scene._classes import Classes
from labelscape.scene.scene import (
    AgainstLabel,
    Audit,
    ConfusedPair,
    Indices,
    PartedPair,
    SceneSuspect,
    TableFinding,
    TellingFeature,
)

# So many pairs of classes that are mixed up are listed.
MOST_PAIRS = 10


def shown_audit(
    report: AuditReport,
    classes: Classes,
    n_points: int,
    wording: Wording = PYTHON,
    feature_names: Sequence[str] = (),
) -> Audit:
    """Return what an audit found, for a scene of these classes.

    ``wording`` says settings of the reader as the host calls them, and
    ``feature_names`` are what the view calls the features of the audit.
    """
    if len(report.given) != n_points:
        raise InputError(
            f"the audit is about {len(report.given):,} rows, and there are "
            f"{n_points:,} points. Audit the same rows in the same order.",
            owner="build_scene",
            parameter="audit",
        )
    named, called = _Named(classes), _called(report.feature_names, feature_names)
    return Audit(
        rate=report.rate,
        expected_false=float(report.expected_false),
        share_wrong=float(report.share_wrong),
        summary=report.summary,
        suspects=tuple(_suspect(one, named, called) for one in report.records),
        pairs=tuple(_pairs(report, named)),
        partings=tuple(
            _parted(named(a), named(b), parting, called)
            for (a, b), parting in report.partings.items()
        ),
        findings=tuple(_finding(one, wording, called) for one in report.findings),
        taken_for=classes.codes(report.likely),
        can_tell=report.can_tell,
        look_first=tuple(_suspect(one, named, called) for one in report.look_first),
        assumed=ASSUMED if report.records else "",
    )


class _Named:
    """What the view calls a label."""

    def __init__(self, classes: Classes) -> None:
        self._classes, self._names = classes, classes.names

    def __call__(self, label: Any) -> str:
        code = int(self._classes.codes([label])[0])
        return str(label) if code == self._classes.none else self._names[code]


Names = dict[str, str]


def _called(known: Sequence[str], shown: Sequence[str]) -> Names:
    """Return what the view calls the features of an audit that knew no names."""
    return dict(zip(known, shown, strict=True)) if len(known) == len(shown) else {}


def _suspect(one: Suspect, named: _Named, called: Names) -> SceneSuspect:
    return SceneSuspect(
        row=one.row,
        given=named(one.given),
        likely=named(one.likely),
        p_given=one.p_given,
        p_likely=one.p_likely,
        chance_wrong=one.chance_wrong,
        near_given=one.near_given,
        near_likely=one.near_likely,
        against=tuple(
            AgainstLabel(called.get(name, name), *figures)
            for name, *figures in one.against
        ),
    )


def _pairs(report: AuditReport, named: _Named) -> Iterator[ConfusedPair]:
    """Yield the pairs that are mixed up most, with the objects that are."""
    given, likely = report.usual, report.likely
    for pair in report.pairs[:MOST_PAIRS]:
        a_for_b = (given == pair.a) & (likely == pair.b)
        b_for_a = (given == pair.b) & (likely == pair.a)
        rows = _indices(np.flatnonzero(a_for_b | b_for_a))
        yield ConfusedPair(named(pair.a), named(pair.b), pair.share, rows)


def _parted(a: str, b: str, parting: Parting, called: Names) -> PartedPair:
    known = {effect.feature: effect for effect in parting.effects}
    most = parting.best[-1] if parting.best else ()
    return PartedPair(
        a,
        b,
        tuple(
            TellingFeature(called.get(name, name), *known[name][1:]) for name in most
        ),
        tuple(parting.accuracy),
    )


def _finding(finding: Finding, wording: Wording, called: Names) -> TableFinding:
    remedy = finding.remedy
    subjects = tuple(called.get(name, name) for name in finding.subjects)
    column = called.get(finding.column, finding.column)
    finding = replace(finding, subjects=subjects, column=column)
    return TableFinding(
        code=finding.code,
        words=finding.words(wording),
        subjects=finding.subjects,
        sure=finding.sure,
        count=finding.count,
        rows=_indices(finding.rows),
        remedy=() if remedy is None else _plain(remedy),
    )


def _plain(remedy: Setting) -> tuple[str, ...]:
    """Return an option and its values as texts."""
    values = remedy.value if isinstance(remedy.value, list) else [remedy.value]
    return (remedy.parameter, *map(str, values))


def _indices(rows: Any) -> Indices:
    return np.asarray(rows).astype(np.uint32)
