"""What a strict type checker says of a user's script."""

import pytest

SCRIPT = '''
"""A script with the calls that users make most."""

from typing import assert_type

from sklearn.datasets import load_wine

import labelscape
from labelscape import quality
from labelscape.boundary import ClassifierMap
from labelscape.crossfit import CrossFit
from labelscape.embeddings import LFDA, CrossFittedTSNE, Sammon, WeightedMDS
from labelscape.geometry import FisherMetric
from labelscape.prototypes import GMLVQ, LiRaMLVQ

X, y = load_wine(return_X_y=True)
model = LiRaMLVQ(random_state=0).fit(X, y)
assert_type(model, LiRaMLVQ)
assert_type(GMLVQ().partial_fit(X, y, classes=[0, 1, 2]), GMLVQ)
assert_type(LFDA().fit(X, y), LFDA)
assert_type(Sammon().fit(X), Sammon)
assert_type(WeightedMDS().fit(X), WeightedMDS)
assert_type(CrossFittedTSNE().fit(X, y), CrossFittedTSNE)
assert_type(FisherMetric().fit(X, y), FisherMetric)
assert_type(CrossFit().fit(X, y), CrossFit)
Z = model.transform(X)
print(Z.shape, model.relevance_intervals(X, y), model.predict_proba(X))
assert_type(model.score(X, y), float)
assert_type(quality.trustworthiness(X, Z), float)
assert_type(quality.certify(X, Z, y), quality.HonestyReport)
assert_type(quality.honesty(LFDA(), X, y), quality.HonestyReport)
assert_type(quality.report(X, Z, y), quality.QualityReport)
print(labelscape.audit(X, y).suspects)
print(ClassifierMap(model).fit(X).inverse_transform(Z))
text: str = model.score(X, y)  # the error of this script
'''
SETTINGS = """
[mypy]
strict = true
ignore_missing_imports = true
follow_imports = silent
"""


@pytest.mark.slow
def test_a_strict_script_has_no_error_but_its_own(tmp_path):
    api = pytest.importorskip("mypy.api")
    script, settings = tmp_path / "script.py", tmp_path / "mypy.ini"
    script.write_text(SCRIPT.lstrip(), encoding="utf-8")
    settings.write_text(SETTINGS, encoding="utf-8")
    cache = ["--cache-dir", str(tmp_path / "cache")]
    words, _, _ = api.run([str(script), "--config-file", str(settings), *cache])
    errors = [line for line in words.splitlines() if ": error:" in line]
    assert len(errors) == 1, words
    assert 'expression has type "float", variable has type "str"' in errors[0]
