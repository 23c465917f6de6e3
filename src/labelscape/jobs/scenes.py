"""Parts of scenes that several jobs share: rows and classes of a table, its audit."""

from dataclasses import replace

import numpy as np

from labelscape._core.errors import Wording
from labelscape._core.types import Ints
from labelscape.datasets import Table
from labelscape.jobs.audit import audit_or_reason
from labelscape.jobs.words import Begin
from labelscape.quality.audit import AuditReport
from labelscape.scene import Data, Scene
from labelscape.scene._internal import Classes, scene_audit


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


def codes_of(table: Table) -> Ints:
    """Return the class of each row as an index, as in a scene."""
    return np.asarray(classes_of(table).codes(np.asarray(table.y)), dtype=np.intp)


def classes_of(table: Table) -> Classes:
    """Return the classes of a table."""
    return Classes(np.unique(np.asarray(table.y)).tolist())
