"""Whole jobs: from a table to a map or a picture, and how far to believe it.

The command line and the local app are hosts of these functions; a notebook can call
them too.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from labelscape.jobs._records import json_text, map_record, table_record, table_summary
from labelscape.jobs._settable import PICTURE
from labelscape.jobs._steps import Begin, Step, StepName
from labelscape.jobs.methods import (
    AUTO,
    DIMENSIONS,
    METHODS,
    Group,
    Method,
    classifier_named,
    classifier_names,
    compared_names,
    method_named,
    methods_of,
    picture_rules,
)

if TYPE_CHECKING:
    from labelscape.jobs._auditing import (
        audit_csv,
        audit_lines,
        audit_record,
        audit_table,
    )
    from labelscape.jobs._choosing import Choice, choose_method
    from labelscape.jobs._classifying import (
        PICTURED,
        ClassifyResult,
        classify_table,
        held_out_rows,
    )
    from labelscape.jobs._comparing import LEGEND, Comparison, compare_methods
    from labelscape.jobs._explaining import Explaining, explaining
    from labelscape.jobs._mapping import MapResult, map_table, verdict_of
    from labelscape.jobs._methods_words import methods_paragraph
    from labelscape.jobs._positions import positions_csv
    from labelscape.jobs._prototypes import PrototypeResult, prototype_table
    from labelscape.jobs._refitting import (
        noted,
        read_decisions,
        refit_table,
        relabeled,
    )
    from labelscape.jobs._scenes import (
        classifier_scene,
        comparison_scene,
        map_scene,
        prototype_scene,
    )
    from labelscape.jobs.fitting.rows import fitted_rows
    from labelscape.jobs.placing._rows import (
        PlacedRows,
        check_kept,
        kept_map,
        place_rows,
        placement_csv,
        placement_record,
    )

# Loaded when they are first asked for, so that --help does not wait for scikit-learn.
_FILES = {
    "audit_csv": "_auditing",
    "audit_lines": "_auditing",
    "audit_record": "_auditing",
    "audit_table": "_auditing",
    "Choice": "_choosing",
    "choose_method": "_choosing",
    "PICTURED": "_classifying",
    "ClassifyResult": "_classifying",
    "classify_table": "_classifying",
    "held_out_rows": "_classifying",
    "LEGEND": "_comparing",
    "Comparison": "_comparing",
    "compare_methods": "_comparing",
    "MapResult": "_mapping",
    "fitted_rows": "fitting.rows",
    "map_table": "_mapping",
    "verdict_of": "_mapping",
    "PlacedRows": "placing._rows",
    "check_kept": "placing._rows",
    "kept_map": "placing._rows",
    "place_rows": "placing._rows",
    "placement_csv": "placing._rows",
    "placement_record": "placing._rows",
    "positions_csv": "_positions",
    "methods_paragraph": "_methods_words",
    "PrototypeResult": "_prototypes",
    "prototype_table": "_prototypes",
    "noted": "_refitting",
    "read_decisions": "_refitting",
    "refit_table": "_refitting",
    "relabeled": "_refitting",
    "classifier_scene": "_scenes",
    "comparison_scene": "_scenes",
    "Explaining": "_explaining",
    "explaining": "_explaining",
    "map_scene": "_scenes",
    "prototype_scene": "_scenes",
}

__all__ = [
    "AUTO",
    "DIMENSIONS",
    "LEGEND",
    "METHODS",
    "PICTURE",
    "PICTURED",
    "Begin",
    "Choice",
    "ClassifyResult",
    "Comparison",
    "Explaining",
    "Group",
    "MapResult",
    "Method",
    "PlacedRows",
    "PrototypeResult",
    "Step",
    "StepName",
    "audit_csv",
    "audit_lines",
    "audit_record",
    "audit_table",
    "check_kept",
    "choose_method",
    "classifier_named",
    "classifier_names",
    "classifier_scene",
    "classify_table",
    "compare_methods",
    "compared_names",
    "comparison_scene",
    "explaining",
    "fitted_rows",
    "held_out_rows",
    "json_text",
    "kept_map",
    "map_record",
    "map_scene",
    "map_table",
    "method_named",
    "methods_of",
    "methods_paragraph",
    "noted",
    "picture_rules",
    "place_rows",
    "placement_csv",
    "placement_record",
    "positions_csv",
    "prototype_scene",
    "prototype_table",
    "read_decisions",
    "refit_table",
    "relabeled",
    "table_record",
    "table_summary",
    "verdict_of",
]


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module 'labelscape.jobs' has no attribute {name!r}")
    return getattr(import_module(f"labelscape.jobs.{_FILES[name]}"), name)
