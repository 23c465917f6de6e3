"""Citations: one entry per paper, for every estimator, with our own at the end."""

import re

import pytest
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import labelscape
from labelscape._cite import PAPERS, _entries
from labelscape._model_file._registry import STEPS, model_names
from labelscape.embeddings import FisherKernelTSNE, KernelMap, Sammon
from labelscape.geometry import FisherMetric
from labelscape.prototypes import GMLVQ

# These have no paper of their own.
PLAIN = {
    *("CrossFit", "KMeansPrototypes", "LandmarkMap"),
    *("RandomFeatureClassifier", "TableMap"),
}


def keys(model=None):
    return re.findall(r"^@\w+\{(\w+),", labelscape.cite(model), re.MULTILINE)


def test_without_a_model_only_the_software_is_cited():
    assert keys() == ["labelscape"]
    assert labelscape.__version__ in labelscape.cite()


def test_every_estimator_has_its_papers():
    ours = {name for name in model_names() if name not in STEPS}
    missing = {name for name in ours if name not in PAPERS} - PLAIN
    assert not missing


def test_every_key_is_an_entry_and_every_entry_is_used():
    used = {key for entry in PAPERS.values() for key in entry.split()}
    assert used | {"labelscape"} == set(_entries())


def test_braces_of_entries_are_balanced():
    for entry in _entries().values():
        assert entry.count("{") == entry.count("}")
        assert "VERSION" not in entry


@pytest.mark.parametrize(
    ("model", "wanted"),
    [
        (GMLVQ, ["schneider2009", "labelscape"]),
        (make_pipeline(StandardScaler(), GMLVQ()), ["schneider2009", "labelscape"]),
        (KernelMap(Sammon()), ["hammer2013", "sammon1969", "labelscape"]),
        (
            FisherKernelTSNE(metric=FisherMetric()),
            ["hammer2013", "policar2024", "labelscape"],
        ),
        (PCA(), ["labelscape"]),
    ],
)
def test_a_model_brings_the_papers_of_its_parts_once(model, wanted):
    assert keys(model) == wanted
