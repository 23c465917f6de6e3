from . import audit, drift
from ._islands import Island, IslandReport, islands
from ._report import QualityReport, report
from .certificate.certify import certify
from .certificate.gaps import ClassGap
from .certificate.honesty import honesty
from .certificate.report import HonestyReport
from .certificate.verdict import ClassifierVerdict, Verdict
from .measures import MEASURES, Measure
from .measures.curves import RankCurves, auc_log_rnx, q_nx, r_nx, rank_curves
from .measures.distances import (
    ClassDistortion,
    distortion_by_class,
    pearson_r,
    sammon_stress,
    shepard_pairs,
    spearman_rho,
    stress_1,
)
from .measures.labels import knn_accuracy, label_continuity, label_trustworthiness
from .measures.neighborhoods import Neighborhoods
from .measures.ranks import (
    PointwiseDistortion,
    class_continuity,
    class_trustworthiness,
    continuity,
    pointwise_distortion,
    trustworthiness,
)
from .records import Light

__all__ = [
    "MEASURES",
    "ClassDistortion",
    "ClassGap",
    "ClassifierVerdict",
    "HonestyReport",
    "Island",
    "IslandReport",
    "Light",
    "Measure",
    "Neighborhoods",
    "PointwiseDistortion",
    "QualityReport",
    "RankCurves",
    "Verdict",
    "auc_log_rnx",
    "audit",
    "certify",
    "class_continuity",
    "class_trustworthiness",
    "continuity",
    "distortion_by_class",
    "drift",
    "honesty",
    "islands",
    "knn_accuracy",
    "label_continuity",
    "label_trustworthiness",
    "pearson_r",
    "pointwise_distortion",
    "q_nx",
    "r_nx",
    "rank_curves",
    "report",
    "sammon_stress",
    "shepard_pairs",
    "spearman_rho",
    "stress_1",
    "trustworthiness",
]
