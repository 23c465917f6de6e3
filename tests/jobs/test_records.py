import json
from pathlib import Path

import numpy as np
import pandas
import pytest
from tests.jobs.cases import some_iris

from labelscape._core.errors import InputWarning
from labelscape.cli._files import json_text, table_record
from labelscape.cli.messages import table_summary
from labelscape.datasets import load, read_table
from labelscape.jobs import map_table
from labelscape.jobs.map import Effort
from labelscape.jobs.words import HONESTY_NUMBERS, honesty_record

QUICK = Effort(n_splits=1, n_refits=1, rows=100)


def test_a_table_in_numbers():
    assert table_record(load("iris")) == {
        "data": "iris",
        "rows": 150,
        "features": 4,
        "classes": ["setosa", "versicolor", "virginica"],
        "missing": {},
        "group": None,
        "shown": [],
    }


def test_page_and_record_say_which_rows_belong_together():
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.normal(size=(40, 2)), columns=["x", "y"])
    frame["patient"] = [f"p{i // 4}" for i in range(40)]
    frame["ill"] = np.repeat(["yes", "no"], 20)
    with pytest.warns(InputWarning, match="'patient' belong together"):
        table = read_table(frame, label="ill")
    assert table_record(table)["group"] == {"column": "patient", "groups": 10}
    scene = map_table(table, "lda", judge=False).scene()
    assert "'patient' belong together (10 groups in 40 rows)" in scene.maps[0].words


def test_a_map_in_numbers_can_be_written_as_json():
    result = map_table(some_iris(), "lda", effort=QUICK)
    record = json.loads(json.dumps(result.record()))
    assert record["method"] == "lda"
    assert record["quality"] == result.quality.scores
    assert record["quality_original"] == result.quality.original
    assert record["note"] is record["audit"] is None
    assert set(record["seconds"]) == {"fit", "quality", "honesty", "explanation"}
    words = {"real", "kept", "lights", "verdict", "notes", "warnings", "left_out"}
    more = {"share_kept", "by_class", "pairs", "placed", "gaps", "has_gap", "misplaced"}
    assert set(record["honesty"]) == {*HONESTY_NUMBERS, *words, *more}
    assert record["honesty"]["verdict"] == str(result.honesty.verdict)


def test_an_audit_in_numbers_is_part_of_its_map():
    result = map_table(some_iris(), "pca", judge=False, audit=True)
    record = json.loads(json.dumps(result.record()))["audit"]
    assert record["n_suspects"] == len(result.audit.suspects)
    assert record["summary"] == result.audit.summary
    first = record["class_differences"][0]
    assert [first["a"], first["b"]] == ["versicolor", "virginica"]


def test_what_was_not_judged_has_no_honesty_and_a_note():
    record = map_table(some_iris(), "pca", judge=False).record()
    assert record["honesty"] is honesty_record(None) is None
    assert record["note"] == "the test was not requested"


def test_the_text_names_the_file_and_keeps_letters_as_they_are():
    text = json_text({"data": "Bäume"}, Path("out", "bäume.html"))
    assert "Bäume" in text
    assert json.loads(text)["output"] == str(Path("out", "bäume.html"))


def test_the_summary_of_a_table_names_its_dates():
    frame = pandas.DataFrame(
        {
            "day": pandas.to_datetime(["2024-01-01", "2024-02-01", "2024-03-01"]),
            "size": [1.0, np.nan, 3.0],
            "kind": ["a", "b", "a"],
        }
    )
    table = read_table(frame, label="kind", missing="impute", keep=["day"])
    assert table_summary(table) == (
        "table: 3 rows, 2 features, 2 classes (a 2, b 1), 1 missing value imputed in "
        "1 column, dates as numbers of days: day"
    )
    assert "dates" not in table_summary(load("iris"))
