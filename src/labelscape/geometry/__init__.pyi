from .fisher_metric import FisherMetric

__all__ = ["FisherMetric"]
