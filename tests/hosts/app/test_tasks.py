"""Tasks of workers: every method fits, and its code gives the same result."""

import csv
import warnings
from dataclasses import replace

import numpy as np
import pytest
from tests.hosts.app.serving import table

import labelscape
from labelscape.datasets import Reading
from labelscape.hosts.app import tasks
from labelscape.hosts.app.forms import method_cards
from labelscape.hosts.app.records import Job, News, RunResult, Settings, Source
from labelscape.hosts.app.uploads import Limits
from labelscape.jobs.methods import METHODS
from labelscape.scene import decode

FILE = 'trees "of" {mine}.csv'
CARDS = method_cards()
# A finished map needs positions: see the tests of the interface.
NAMES = [card.name for card in CARDS if card.name != "given"]
# The step with which the work begins.
FIRST = {card.name: "training" for card in CARDS if card.group == "classifier"}
FIRST |= {card.name: "fitting" for card in CARDS if card.group != "classifier"}
FIRST |= {"model": "loading"}
TABLE = "0123456789ab"
READING = Reading(label="kind", id="name")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / FILE
    path.write_text(table())
    return path


@pytest.fixture(scope="module")
def model(source, tmp_path_factory):
    """A saved model for the method that wants one."""
    folder = tmp_path_factory.mktemp("model")
    fitted(source, folder, "gmlvq")
    return folder / "model.labelscape"


def fitted(source, folder, method, model=None, start=None, **more):
    told = []
    settings = Settings(
        table=TABLE,
        method=method,
        reading=READING,
        seed=3,
        honesty=False,
        **{"audit": False} | more,
    )
    order = Job(Source(source, FILE), settings, folder, model, start)
    return tasks.fit(order, told.append), told


def places_in(path, columns):
    with path.open() as file:
        rows = list(csv.reader(file))[1:]
    return np.array([[float(row[j]) for j in columns] for row in rows])


@pytest.mark.parametrize("method", NAMES)
def test_every_method_fits_and_its_code_gives_the_same_places(
    source, model, tmp_path, monkeypatch, method
):
    given = model if method == "model" else None
    run = tmp_path / "run"
    run.mkdir()
    result, told = fitted(source, run, method, given)
    assert result.summary
    assert "include_data" not in result.summary  # not a setting of the page
    assert RunResult.model_validate_json(result.model_dump_json()) == result
    assert told[-1] == News(step="drawing")
    assert {news.step for news in told} >= {FIRST[method], "drawing"}
    assert len(decode((run / "scene.lscn").read_bytes()).maps[0].positions) == 60
    assert result.has_model == (run / "model.labelscape").exists()
    if result.has_model:  # and it is good for something
        saved = labelscape.load(run / "model.labelscape")
        ask = saved.predict if hasattr(saved, "predict") else saved.transform
        assert len(ask(np.zeros((2, 4)))) == 2

    (tmp_path / "model.labelscape").write_bytes(model.read_bytes())
    assert places_repeated(source, run, tmp_path, monkeypatch)


def places_repeated(source, run, folder, monkeypatch):
    """Return whether the code of a run gives its places again."""
    monkeypatch.chdir(folder)  # where a user would put table, model and code
    (folder / FILE).write_text(source.read_text())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        exec(compile((run / "repeat.py").read_text(), "repeat.py", "exec"), {})
    repeated = (folder / "positions-repeated.csv").read_text()
    return repeated == (run / "positions.csv").read_text()


@pytest.mark.parametrize("method", ["nca", "tsne"])
def test_code_of_a_map_that_was_fitted_to_some_rows_gives_the_same_places(
    source, tmp_path, monkeypatch, method
):
    some = tuple(replace(one, fits_rows=40) for one in METHODS if one.name == method)
    monkeypatch.setattr("labelscape.jobs.methods.METHODS", some)
    run = tmp_path / "run"
    run.mkdir()
    fitted(source, run, method)
    assert places_repeated(source, run, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("fisher-mds", {"metric__rule": "left", "metric__regularization": 0.05}),
        ("svm", {"picture__projection": "fisher-mds", "picture__lambda2": 1.0}),
        ("svm", {"picture__projection": "lfda", "C": 3.0}),
        ("model", {"picture__projection": "pca"}),
    ],
)
def test_code_of_a_metric_or_a_picture_that_was_set_gives_the_same_places(
    source, model, tmp_path, monkeypatch, method, parameters
):
    (plain := tmp_path / "plain").mkdir()
    (run := tmp_path / "run").mkdir()
    given = model if method == "model" else None
    fitted(source, plain, method, given)
    fitted(source, run, method, given, parameters=parameters)
    places = [places_in(one / "positions.csv", (2, 3)) for one in (plain, run)]
    assert np.ptp(places, axis=0).max() > 0.01
    (tmp_path / "model.labelscape").write_bytes(model.read_bytes())
    assert places_repeated(source, run, tmp_path, monkeypatch)


def test_the_map_under_a_picture_says_what_it_keeps(source, tmp_path):
    fitted(source, tmp_path, "svm", parameters={"picture__projection": "pca"})
    scene = decode((tmp_path / "scene.lscn").read_bytes())
    assert "vary most" in scene.maps[0].words


@pytest.mark.parametrize("method", ["crossfit", "lda", "liram"])
def test_code_of_a_map_that_was_fitted_again_gives_the_same_places(
    source, tmp_path, monkeypatch, method
):
    first, run = tmp_path / "first", tmp_path / "run"
    first.mkdir()
    run.mkdir()
    fitted(source, first, method)
    decided = {"refit_of": "first", "decisions": {0: "fir", 4: "oak"}}
    result, _ = fitted(source, run, method, start=first, **decided)
    assert result.method == method
    assert places_repeated(source, run, tmp_path, monkeypatch)


@pytest.mark.parametrize("method", ["pca", "kmeans"])
def test_a_run_audits_its_table_if_that_is_asked_for(source, tmp_path, method):
    _, told = fitted(source, tmp_path, method, audit=True)
    scene = decode((tmp_path / "scene.lscn").read_bytes())
    assert len(scene.audit.taken_for) == 60
    assert "auditing" in {news.step for news in told}
    fitted(source, tmp_path, method)
    again = decode((tmp_path / "scene.lscn").read_bytes())
    assert (again.audit, again.audit_note) == (None, "the audit was not requested")


def test_a_run_says_which_groups_are_stable_if_that_is_asked_for(source, tmp_path):
    _, told = fitted(source, tmp_path, "pca", islands=True)
    scene = decode((tmp_path / "scene.lscn").read_bytes())
    assert scene.maps[0].islands.words
    assert "resampling" in {news.step for news in told}
    fitted(source, tmp_path, "pca")
    assert decode((tmp_path / "scene.lscn").read_bytes()).maps[0].islands is None


@pytest.mark.parametrize("method", ["sammon", "fisher-mds", "svm"])
def test_a_card_with_all_its_defaults_written_out_is_the_same_fit(
    source, tmp_path, method
):
    card = next(card for card in method_cards() if card.name == method)
    written = {p.name: p.default for p in card.parameters}
    places = []
    for name, parameters in (("short", {}), ("long", written)):
        (tmp_path / name).mkdir()
        fitted(source, tmp_path / name, method, parameters=parameters)
        places.append(places_in(tmp_path / name / "positions.csv", (2, 3)))
    np.testing.assert_array_equal(*places)


def test_a_table_that_calls_itself_embedded_is_only_a_table(tmp_path):
    path = tmp_path / "source.json"
    path.write_text('{"embedded": "iris"}')
    with pytest.raises(ValueError, match="a format that cannot"):
        tasks.describe(Source(path, "a.json"), Limits(), print)


@pytest.mark.parametrize("method", ["gmlvq", "pca", "logistic"])
def test_the_page_of_a_run_knows_which_values_were_filled_in(tmp_path, method):
    header, *lines = table().splitlines()
    name, _, rest = lines[7].split(",", 2)
    lines[7] = f"{name},,{rest}"
    source = tmp_path / "gaps.csv"
    source.write_text("\n".join([header, *lines]))
    fitted(source, tmp_path, method)
    height, *others = decode((tmp_path / "scene.lscn").read_bytes()).features
    assert (height.name, height.imputed.tolist()) == ("height", [7])
    assert all(feature.imputed is None for feature in others)


def test_maps_that_place_no_new_rows_offer_no_model(source, tmp_path):
    result, _ = fitted(source, tmp_path, "wmds")
    assert not result.has_model


def test_names_and_classes_are_no_formulas_for_a_spreadsheet(tmp_path):
    path = tmp_path / "source.csv"
    names = ["=1+1", "@sum", "+a", "-b", "-1", "+2.5e3", "plain"]
    rows = [["name", "height", "leaf", "kind"]]
    rows += [
        [name, i * i, i, "=cmd|' /C calc'!A0" if i % 2 else "-1"]
        for i, name in enumerate(names * 3)
    ]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    fitted(path, tmp_path, "pca")
    with (tmp_path / "positions.csv").open(newline="") as file:
        written = list(csv.reader(file))[1:]
    expected = ["'=1+1", "'@sum", "'+a", "'-b", "-1", "+2.5e3", "plain"]
    assert [row[0] for row in written[:7]] == expected
    assert {row[1] for row in written} == {"'=cmd|' /C calc'!A0", "-1"}
    assert any(row[2].startswith("-") for row in written)  # numbers stay numbers


def positions_of(source, folder, method="lfda", **reading):
    folder.mkdir()
    settings = Settings(
        table=TABLE,
        method=method,
        reading=replace(READING, **reading),
        honesty=False,
        audit=False,
    )
    tasks.fit(Job(source, settings, folder), lambda _: None)
    return (folder / "positions.csv").read_bytes()


@pytest.mark.parametrize("sign", [".", ","])
def test_fits_read_the_columns_that_were_kept_when_the_table_came(
    tmp_path, monkeypatch, sign
):
    lines = [line.split(",") for line in table().splitlines()]
    text = "\n".join(";".join(c.replace(".", sign) for c in line) for line in lines)
    source = Source(tmp_path / "source.csv", FILE)
    source.path.write_text(text)
    expected = positions_of(source, tmp_path / "from text", decimal=sign)

    about = tasks.describe(source, Limits(), print)
    assert about.reading == Reading(decimal=sign)
    source.path.write_text("nothing")  # it is not opened any more
    assert positions_of(source, tmp_path / "from columns", decimal=sign) == expected

    # Other words for missing values are read from the same cells; where these are cut
    # in another way, the text is read.
    again = positions_of(
        source, tmp_path / "again", decimal=sign, missing_values=("-",)
    )
    assert again == expected
    with pytest.raises(ValueError, match="header and no rows"):
        positions_of(source, tmp_path / "before", decimal=sign, delimiter="|")


def test_columns_that_are_too_large_or_told_a_warning_are_not_kept(tmp_path):
    source = Source(tmp_path / "source.csv", FILE)
    source.path.write_text(table())
    kept = tmp_path / "columns.parquet"
    tasks.describe(source, Limits(), print)
    assert kept.exists()
    tasks.describe(source, Limits(unpacked=1000), print)
    assert not kept.exists()
    source.path.write_bytes(table().replace("oak", "b\xe4r").encode("cp1252"))
    tasks.describe(source, Limits(), print)
    assert not kept.exists()


def test_the_second_question_about_a_run_does_not_read_its_table_again(
    source, tmp_path, monkeypatch
):
    fitted(source, tmp_path, "gmlvq")
    read = []
    real = tasks._table
    monkeypatch.setattr(tasks, "_table", lambda *a: read.append(a) or real(*a))
    given = Source(source, FILE)
    first, again = (tasks.explain(tmp_path, given, READING, 5, print) for _ in range(2))
    assert first == again
    assert len(read) == 1
    with pytest.raises(ValueError, match="no row 60; the table has 60"):
        tasks.explain(tmp_path, given, READING, 60, print)


def test_what_can_not_predict_is_no_model(source, tmp_path):
    fitted(source, tmp_path, "sammon")
    with pytest.raises(ValueError, match="which is not a classifier"):
        tasks.describe_model(tmp_path / "model.labelscape", "a", print)


FIRST_ROW = table().splitlines()[1].removeprefix("t0")
ODD = "\n".join(
    [line + (",one" if i else ",batch") for i, line in enumerate(table().splitlines())]
    + [f"t60{FIRST_ROW},one"]
)


@pytest.mark.parametrize("method", ["lda", "gmlvq"])
def test_findings_speak_of_the_page_and_not_of_python(tmp_path, method):
    source, run = tmp_path / "odd.csv", tmp_path / "run"
    source.write_text(ODD)
    run.mkdir()
    fitted(source, run, method, audit=True)
    found = decode((run / "scene.lscn").read_bytes()).audit.findings
    said = {one.code: (one.words, one.remedy) for one in found}
    words, remedy = said["copies"]
    assert words.endswith("choose “Identical rows”: keep only the first.")
    assert remedy == ("copies", "drop")
    words, remedy = said["constant"]
    assert words.endswith("To leave it out, choose “left out” for 'batch'.")
    assert remedy == ("drop", "batch")


def test_equal_rows_and_spellings_are_joined_if_the_page_says_so(tmp_path):
    source, run = tmp_path / "odd.csv", tmp_path / "run"
    source.write_text(table().replace(",oak", ",OAK", 1) + "\nt60" + FIRST_ROW)
    run.mkdir()
    reading = replace(READING, copies="drop", merge_classes="case")
    order = Job(
        Source(source, FILE),
        Settings(
            table=TABLE, method="lda", reading=reading, honesty=False, audit=False
        ),
        run,
    )
    tasks.fit(order, lambda _: None)
    scene = decode((run / "scene.lscn").read_bytes())
    assert (scene.n_points, scene.classes) == (60, ("ash", "fir", "oak"))


def test_no_model_is_loaded_by_a_name_from_the_web(tmp_path):
    source = tmp_path / "odd.csv"
    source.write_text(table())
    reading = replace(READING, text="name", embed="wordllama")
    with pytest.raises(ValueError, match="The app cannot compute features"):
        tasks._table(Source(source, FILE), reading)


def test_a_large_table_is_audited_if_the_page_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("labelscape.jobs.audit.MOST_ROWS", 50)
    source, run = tmp_path / "trees.csv", tmp_path / "run"
    source.write_text(table())
    run.mkdir()
    fitted(source, run, "lda", audit=True)
    assert decode((run / "scene.lscn").read_bytes()).audit is not None
