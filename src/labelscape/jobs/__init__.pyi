from . import audit, methods, positions
from .audit import audit_table
from .cells import map_cells
from .choose import choose_method
from .classify import classify_table, prototype_table
from .compare import compare_methods
from .csv_text import positions_csv
from .map import map_table
from .map_result import MapResult
from .methods import AUTO, Method, method_named, methods_of
from .order import RunOrder
from .place import kept_map, place_rows
from .positions import certify_table
from .refit import read_decisions, refit_table, relabeled
from .words import Begin, Step, StepName

__all__ = [
    "AUTO",
    "Begin",
    "MapResult",
    "Method",
    "RunOrder",
    "Step",
    "StepName",
    "audit",
    "audit_table",
    "certify_table",
    "choose_method",
    "classify_table",
    "compare_methods",
    "kept_map",
    "map_cells",
    "map_table",
    "method_named",
    "methods",
    "methods_of",
    "place_rows",
    "positions",
    "positions_csv",
    "prototype_table",
    "read_decisions",
    "refit_table",
    "relabeled",
]
