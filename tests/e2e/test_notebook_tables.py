"""Tables in a notebook, in a real browser."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from labelscape.prototypes import GLVQ
from labelscape.quality import honesty, report

SCRIPT = "<script>document.title='broken in'</script>"


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def test_a_quality_report_is_shown_as_a_table(open_page, iris):
    X, y = iris
    dom = open_page(report(X, X[:, 2:], y)._repr_html_())
    assert dom.count("<tr>") == 14
    assert "trustworthiness" in dom


def test_an_honesty_report_is_shown_with_its_verdict(open_page, iris):
    found = honesty(LinearDiscriminantAnalysis(), *iris, random_state=0)
    dom = open_page(found._repr_html_())
    assert all(str(light) in dom for light in found.verdict.lights)


def test_scripts_in_labels_are_shown_as_text(open_page, iris):
    X, y = iris
    labels = np.array([SCRIPT, "oak", "elm"])[y]
    dom = open_page(GLVQ(random_state=0).fit(X, labels).explain(X[0])._repr_html_())
    assert "<title>broken in" not in dom
    assert "&lt;script&gt;" in dom
