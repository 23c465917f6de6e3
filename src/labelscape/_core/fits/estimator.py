"""What all our estimators are to scikit-learn: heard by callbacks, with a page each."""

from typing import Any

from sklearn.base import BaseEstimator

from labelscape._core.fits.callbacks import CallbackSupportMixin

# Where the guide is read, as in pyproject.toml.
DOCUMENTATION = "https://labelscape.readthedocs.io/en/latest/"


class Estimator(CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """Base of our estimators: in a notebook, each links to its page of the guide."""

    _doc_link_module = "labelscape"
    _doc_link_template = DOCUMENTATION + "generated/{room}.{name}.html"

    def _doc_link_url_param_generator(self) -> dict[str, Any]:
        room = ".".join(type(self).__module__.split(".")[:2])
        return {"room": room, "name": type(self).__name__}
