"""How far a map can be trusted: scores, distortion, report, honesty, islands."""

from labelscape.quality._coranking import (
    RankCurves,
    auc_log_rnx,
    q_nx,
    r_nx,
    rank_curves,
)
from labelscape.quality._distances import (
    ClassDistortion,
    distortion_by_class,
    pearson_r,
    sammon_stress,
    shepard_pairs,
    spearman_rho,
    stress_1,
)
from labelscape.quality._knn import knn_accuracy
from labelscape.quality._label_scores import label_continuity, label_trustworthiness
from labelscape.quality._pointwise import PointwiseDistortion, pointwise_distortion
from labelscape.quality._report import QualityReport, report
from labelscape.quality._scores import (
    class_continuity,
    class_trustworthiness,
    continuity,
    trustworthiness,
)
from labelscape.quality.certificate.honesty import honesty
from labelscape.quality.certificate.report import HonestyReport
from labelscape.quality.certificate.verdict import Verdict
from labelscape.quality.stability.islands import islands
from labelscape.quality.stability.report import Island, IslandReport

__all__ = [
    "ClassDistortion",
    "HonestyReport",
    "Island",
    "IslandReport",
    "PointwiseDistortion",
    "QualityReport",
    "RankCurves",
    "Verdict",
    "auc_log_rnx",
    "class_continuity",
    "class_trustworthiness",
    "continuity",
    "distortion_by_class",
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
