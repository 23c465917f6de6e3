from tests.jobs.cases import some_iris

from labelscape.jobs import map_table
from labelscape.jobs.map import Effort
from labelscape.jobs.map_result import methods_paragraph
from labelscape.jobs.method import SCIKIT_LEARN
from labelscape.jobs.methods import method_named, methods_of

QUICK = Effort(n_splits=1, n_refits=1, rows=100)


def test_a_paragraph_names_data_method_settings_figures_and_source():
    few = {"n_neighbors": 5}
    result = map_table(some_iris(), "lfda", effort=QUICK, parameters=few, audit=True)
    said = methods_paragraph(result, seed=4)
    assert "(50 rows, 4 features, 3 classes)" in said
    assert "Local Fisher discriminant (LFDA)" in said
    assert "standard deviation of 1" in said
    assert "n_neighbors = 5" in said
    assert "seed 4." in said
    assert str(result.honesty.verdict) in said
    assert "false-discovery rate of 10%" in said
    assert said.endswith(method_named("lfda").reference)
    assert result.scene(seed=4).methods == said


def test_what_was_not_measured_is_not_told():
    said = methods_paragraph(map_table(some_iris(), "pca", judge=False), 0)
    assert "separation" not in said
    assert "audited" not in said
    assert said.endswith(SCIKIT_LEARN)


def test_every_map_of_ours_cites_a_source():
    ours = [one for one in methods_of("map") if "sklearn" not in one.room]
    without = [one.name for one in ours if one.reference == SCIKIT_LEARN]
    assert without == []
