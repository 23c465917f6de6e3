"""Columns of subjects, dates and copies of the label are no features by default."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from labelscape._core.errors import InputWarning
from labelscape.datasets import Reading, available, describe_columns, load, read_table


def replicates(name="patient", n_subjects=60, n_rows=4, *, spell="P{:03d}", seed=0):
    """Return rows of subjects with random classes, and random measurements."""
    rng = np.random.default_rng(seed)
    sizes = np.full(n_subjects, n_rows)
    if n_rows == 0:  # some have one row, some many
        sizes = 1 + rng.poisson(3, n_subjects)
    subjects = [spell.format(i) if spell else i + 1 for i in range(n_subjects)]
    return pd.DataFrame(
        {
            name: np.repeat(subjects, sizes),
            **{f"f{j}": rng.normal(size=sizes.sum()) for j in range(3)},
            "label": np.repeat(rng.choice(["ill", "well"], n_subjects), sizes),
        }
    )


def features_of(frame, **how):
    """Return features, group column and displayed columns, without warnings."""
    with pytest.warns(InputWarning):
        table = read_table(frame, "label", **how)
    assert not set(table.feature_names) - {"f0", "f1", "f2"}
    return table.group_column, [column.name for column in table.shown]


NAMES = ["patient", "Patient ID", "patientId", "Subject_No.", "donor", "Pat.-Nr."]


@pytest.mark.parametrize("name", [*NAMES, "who", "sample", "id"])
@pytest.mark.parametrize("n_rows", [2, 4, 10, 0])
def test_a_column_of_words_for_subjects_is_the_group_and_no_feature(name, n_rows):
    frame = replicates(name, n_rows=n_rows)
    assert features_of(frame) == (name, [])


@pytest.mark.parametrize("name", [*NAMES, "sample code number", "x7"])
def test_so_is_one_of_whole_numbers(name):
    frame = replicates(name, spell="")
    assert features_of(frame) == (name, [])
    assert features_of(frame.sample(frac=1.0, random_state=0)) == (name, [])


def test_a_warning_says_so_and_how_to_have_it_otherwise():
    frame = replicates()
    words = r"same 'patient' belong together .60 groups in 240 rows.*keep=\['patient'\]"
    with pytest.warns(InputWarning, match=rf"{words}.*group=False"):
        table = read_table(frame, "label")
    assert table.n_groups == 60
    assert "60 groups by 'patient'" in table.summary
    assert "'patient' belong together (60 groups in 240 rows)" in table.group_words
    for how in ({"keep": ["patient"]}, {"nominal": ["patient"]}):
        asked = read_table(frame, "label", **how)
        assert asked.groups is None
        assert len(asked.feature_names) == 63
    with pytest.warns(InputWarning, match="Shown only: 'patient'"):
        assert read_table(frame, "label", group=False).groups is None
    assert read_table(frame, "label", drop=["patient"]).groups is None


def test_ids_that_are_all_different_do_not_hide_the_subjects():
    frame = replicates().assign(tube=[f"t{i}" for i in range(240)])
    with pytest.warns(InputWarning, match="60 groups in 240"):
        table = Reading(label="label", id="tube").read(frame)
    assert table.group_column == "patient"
    by_tube = Reading(label="label", id="tube", drop=("patient",)).read(frame)
    assert by_tube.n_groups == 240


def test_of_several_columns_of_subjects_the_best_named_is_the_group():
    frame = replicates("clinic code").assign(patient=lambda one: one["clinic code"])
    assert features_of(frame) == ("patient", ["clinic code"])


def test_a_group_that_was_given_stays_the_group():
    frame = replicates().assign(plate=np.arange(240) % 6)
    assert features_of(frame, group="plate") == ("plate", ["patient"])


def test_numbers_that_name_each_row_are_no_feature():
    numbers = np.random.default_rng(1).choice(10**6, 240, replace=False)
    frame = replicates().drop(columns="patient").assign(mrn=numbers)
    assert features_of(frame) == ("", ["mrn"])


def test_measurements_and_categories_stay_features():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, 300),
            "counts": rng.poisson(30, 300),
            "separates": (1000 * y + 100 * rng.normal(size=300)).round(),
            "city": rng.choice([f"c{i}" for i in range(12)], 300),
            "animal": rng.choice(["cat", "dog", "bird"], 300),
            "patient_age": rng.integers(1, 40, 300),
            "sample_size": rng.integers(1, 40, 300),
            "label": np.array(["a", "b", "c"])[y],
        }
    )
    for one in (frame, frame.sort_values("label")):
        table = read_table(one, "label")
        assert table.groups is None
        assert len(set(table.encoder.column_names)) == 7


@pytest.mark.slow
def test_no_feature_of_the_papers_tables_is_taken(papers_data):
    files = [
        file
        for file in sorted(Path(os.environ["LABELSCAPE_DATA"]).glob("*.csv*"))
        if "genes" not in file.name  # names of columns
    ]
    assert len(files) > 15
    for file in files:
        table = read_table(
            file, "class", missing="impute", reading=Reading(row_numbers="drop")
        )
        n_columns = len(describe_columns(file)) - 1
        assert len(table.encoder.codes) == n_columns, file.name
        roles = {column.role for column in describe_columns(file)}
        assert roles == {"label", "feature"}, file.name


EMBEDDED = [info for info in available() if info.origin != "papers"]


@pytest.mark.parametrize("info", EMBEDDED, ids=lambda info: info.name)
def test_no_feature_of_an_embedded_table_is_taken(info):
    table = load(info.name)
    frame = pd.DataFrame(table.X, columns=table.feature_names).assign(label=table.y)
    again = read_table(frame, "label", reading=Reading(row_numbers="drop"))
    assert again.feature_names == table.feature_names
    assert again.groups is None


def test_a_copy_of_the_label_is_left_out_if_asked_and_can_be_kept():
    frame = replicates().drop(columns="patient")
    frame["code"] = (frame["label"] == "ill") * 7
    with pytest.warns(InputWarning, match=r"Left out: .code. .a copy of the classes"):
        table = Reading(label="label", row_numbers="drop").read(frame)
    assert table.feature_names == ["f0", "f1", "f2"]
    kept = Reading(label="label", row_numbers="drop", keep=("code",)).read(frame)
    assert kept.feature_names[-1] == "code"
    assert describe_columns(frame)[-1].remark == "a copy of the classes"
    few = frame[::20]  # of few rows, a feature may be that by chance
    assert "code" in Reading(label="label", row_numbers="drop").read(few).feature_names


def test_where_each_class_is_one_subject_there_are_no_groups():
    frame = replicates(n_subjects=6, n_rows=20)
    frame["label"] = frame["patient"].str.lower()
    with pytest.warns(InputWarning, match="Shown only: 'patient'"):
        assert read_table(frame, "label").groups is None


def test_a_description_proposes_the_subject_and_shows_dates(write):
    frame = replicates().assign(
        day=[f"{1 + i % 28:02d}.06.2020" for i in range(240)],
        donor=lambda one: one["patient"].str.replace("P", "D"),
    )
    roles = {column.name: column.role for column in describe_columns(frame)}
    assert (roles["patient"], roles["donor"]) == ("group", "show")
    assert roles["label"] == "label"
    path = write(frame.to_csv(index=False))
    found = {column.name: column for column in describe_columns(path)}
    assert (found["day"].role, found["day"].kind) == ("show", "date")
    assert found["patient"].remark == "likely a subject"


def test_a_subject_is_not_taken_for_the_classes():
    frame = replicates()[["f0", "f1", "label", "patient"]]
    roles = {
        c.name: c.role for c in describe_columns(frame.rename(columns={"label": "ok"}))
    }
    assert roles["ok"] == "label"
    assert roles["patient"] == "group"


@pytest.mark.parametrize("name", ["my label ☃", "Target variable", "final diagnosis"])
def test_a_flag_is_not_taken_for_the_classes_before_a_column_called_so(name):
    frame = pd.DataFrame(
        {
            name: ["a", "b", "c"] * 20,
            "x": np.arange(60) ** 2,
            "is_new": [True, False] * 30,
        }
    )
    roles = {column.name: column.role for column in describe_columns(frame)}
    assert roles[name] == "label"
    assert roles["is_new"] == "feature"


def counted(name, sizes, rng):
    """Return a table with a column that counts the rows of each class."""
    frame = pd.DataFrame(rng.normal(size=(sum(sizes), 2)), columns=["f0", "f1"])
    frame[name] = np.concatenate([np.arange(n) + 1 for n in sizes])
    return frame.assign(label=np.repeat([*"abcdef"][: len(sizes)], sizes))


@pytest.mark.parametrize("is_shuffled", [False, True])
@pytest.mark.parametrize("name", ["Sample Number", "ID", "patient"])
def test_numbers_that_start_again_in_each_class_count_rows(name, is_shuffled):
    frame = counted(name, (152, 68, 124), np.random.default_rng(0))
    frame = frame.sample(frac=1, random_state=0) if is_shuffled else frame
    with pytest.warns(InputWarning, match=f"Left out: '{name}' .row numbers"):
        table = read_table(frame, "label", row_numbers="drop")
    assert (table.feature_names, table.groups) == (["f0", "f1"], None)


def test_subjects_measured_in_each_class_stay_subjects():
    frame = counted("patient", (60, 60), np.random.default_rng(0))
    assert features_of(frame) == ("patient", [])


def test_an_index_of_each_part_is_a_row_number_but_a_day_or_an_age_is_not():
    frame = counted("index", (50, 50, 50, 50), np.random.default_rng(0))
    frame["day"] = frame["age"] = frame["index"]
    frame["label"] = np.repeat(["a", "b"], 100)
    named = [one.name for one in describe_columns(frame) if one.counts_rows]
    assert named == ["index"]


@pytest.mark.parametrize("sign", [".", ","])
def test_words_that_are_decimals_identify_no_subjects(sign):
    rng = np.random.default_rng(0)
    values = [f"{v:.1f}".replace(".", sign) for v in rng.uniform(4, 7, 96)]
    frame = pd.DataFrame({"acid": values, "f0": rng.normal(size=96)})
    frame["label"] = np.repeat(["a", "b"], 48)
    roles = {one.name: one.role for one in describe_columns(frame)}
    assert roles["acid"] == "feature"


def test_measurements_that_repeat_in_copies_identify_no_subjects():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(200, 2)), columns=["f0", "f1"])
    frame["f2"] = rng.integers(1000, 99_999, 200)
    frame["label"] = rng.choice(["a", "b"], 200)
    copies = pd.concat([frame] * 3)
    assert read_table(copies, "label").group_column == ""
    copies[["f0", "f1"]] = rng.normal(size=(600, 2))
    assert features_of(copies) == ("f2", [])


def test_many_words_in_few_rows_each_are_shown_and_define_no_groups():
    rng = np.random.default_rng(0)
    names = np.array([f"name{i}" for i in range(831)])[rng.integers(831, size=15_524)]
    frame = pd.DataFrame({"first": names, "f0": rng.normal(size=15_524)})
    frame["label"] = rng.choice(["a", "b"], 15_524)
    assert features_of(frame) == ("", ["first"])
    few = frame[frame["first"].isin([f"name{i}" for i in range(90)])]
    assert len(read_table(few, "label").feature_names) == 91


def test_measurements_are_no_copies_of_a_label_that_is_nearly_unique():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(100, 3)), columns=["label", "f0", "f1"])
    assert [one.role for one in describe_columns(frame)] == ["feature"] * 3
    with pytest.raises(ValueError, match="not classes"):
        read_table(frame, "label", row_numbers="drop")
