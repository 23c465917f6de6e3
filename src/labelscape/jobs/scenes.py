"""Parts of scenes that several jobs share: the rows of a table, and its audit."""

from dataclasses import replace

from labelscape._core.errors import Wording
from labelscape.datasets import Table
from labelscape.jobs.audit import audit_or_reason
from labelscape.jobs.explain import classes_of
from labelscape.jobs.words import Begin
from labelscape.quality.audit import AuditReport
from labelscape.scene import Data, Scene
from labelscape.scene._internal import scene_audit


def data_of(table: Table) -> Data:
    """Return the scene data of the rows of a table."""
    return Data(
        table.X,
        table.y,
        feature_names=table.feature_names,
        feature_kinds=table.encoder.feature_kinds,
        imputed=table.imputed,
        categories=table.categories,
        vectors=table.encoder.vectors,
        ids=table.ids,
        texts=table.texts,
        columns=table.shown or None,
        **table.pictures(),
    )


def with_audit(
    scene: Scene,
    table: Table,
    wanted: bool | AuditReport | None,
    seed: int,
    begin: Begin,
    wording: Wording,
) -> Scene:
    """Return a scene with the audit of its table, or the reason why there is none."""
    report, why_not = audit_or_reason(table, wanted, seed=seed, begin=begin)
    audit = scene_audit(report, classes_of(table), scene.n_points, wording)
    return replace(scene, audit=audit, audit_note=why_not)
