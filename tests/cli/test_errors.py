import warnings

import pytest
import typer

from labelscape.cli._terminal import plain_errors
from labelscape.datasets import Reading, load


def code_of(error):
    with pytest.raises(typer.Exit) as stopped, plain_errors():
        raise error
    return stopped.value.exit_code


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("two\nlines"), "labelscape: two lines\n"),
        (ImportError("no such package"), "labelscape: no such package\n"),
        (OSError("offline"), "labelscape: offline\n"),
        (PermissionError(13, "Permission denied", "a.png"), "denied: 'a.png'.\n"),
        (ValueError(), "labelscape: ValueError.\n"),
    ],
)
def test_our_own_errors_are_one_sentence_and_code_two(capsys, error, words):
    assert code_of(error) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith(words)


def test_interrupting_ends_with_code_130(capsys):
    assert code_of(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == "labelscape: stopped.\n"


def test_errors_that_we_did_not_expect_keep_their_traceback():
    with pytest.raises(ZeroDivisionError), plain_errors():
        raise ZeroDivisionError


def test_a_warning_becomes_one_note(capsys):
    with plain_errors():
        for _ in range(2):
            warnings.warn("3 features are\nconstant", stacklevel=1)
    assert capsys.readouterr().err == "Note: 3 features are constant\n"


def test_warnings_are_shown_as_before_afterwards():
    before = warnings.showwarning
    with plain_errors():
        pass
    assert warnings.showwarning is before


@pytest.mark.parametrize(
    ("text", "reading", "words"),
    [
        ("a,b,y\n1,,p\n2,,q\n3,,p\n4,,q\n", {}, "Pass --drop 'b'."),
        ("a,it's,y\n1,,p\n2,,q\n", {}, 'Pass --drop "it\'s".'),
        (
            'a;y\n"1.000,5";p\n"2.000,5";q\n',
            {},
            "Remove these signs, or pass --nominal 'a'.",
        ),
        (
            "a;y\n1,5;p\n2,5;q\n",
            {},
            "Pass --read decimal=, if that is the decimal sign. Otherwise, remove the "
            "commas, or pass --nominal 'a'.",
        ),
        (
            "a,b,y\n" + "".join(f"{i},n{i},{'pq'[i % 2]}\n" for i in range(50)),
            {},
            "Pass --id 'b', --show 'b' to display it",
        ),
        (
            "a,,y\n1,11,p\n2,12,q\n",
            {},
            "pass --id 'column 2' to use it as ids, --drop 'column 2' to leave",
        ),
        (
            "a,y\n1,p\n2,q\nx,p\n4,q\n",
            {},
            "pass --read missing_values=x if it stands for a missing value, or "
            "--nominal 'a' if the values are categories.",
        ),
        ("a,y\n1,p\n2,\n3,q\n", {}, "pass --drop-unlabelled to leave these rows out."),
        (
            "1,2\n3,4\n",
            {},
            "Pass --read header=false if the file has no names (they become x1, x2, …"
            "), or --read header=true if these are the names.",
        ),
        ("a,y\n1,p\n2,q,5\n", {}, "the right delimiter, such as --read 'delimiter=;'."),
        ("a\0,y\n1,p\n", {}, "such as --read encoding=utf-16-le."),
        ("a,y\n1,p\n", {"label": "z"}, "labelscape: --label: there is no column 'z'."),
        ("a,y\n1,p\n", {"id": "z"}, "labelscape: --id: there is no column 'z'."),
        ("a,y\n1,p\n", {"id": "y"}, "labelscape: --label and --id both select"),
        (
            "a,y\n1,p\n",
            {"encoding": "utf-99"},
            "labelscape: --read encoding: there is no text encoding 'utf-99'.",
        ),
        (
            "a,y\n1,p\n",
            {"delimiter": "ab"},
            "labelscape: --read delimiter must be one character, got 'ab'.",
        ),
        (
            "a,y\n1,p\n",
            {"delimiter": ",", "decimal": ","},
            "labelscape: --read delimiter and --read decimal are both ','.",
        ),
    ],
)
def test_advice_is_given_in_options_of_the_command_line(
    tmp_path, capsys, text, reading, words
):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    with pytest.raises(typer.Exit), plain_errors():
        Reading(**{"label": "y"} | reading).read(path)
    said = capsys.readouterr().err
    assert words in said
    assert "read_table" not in said


def test_a_description_is_advised_about_in_options_too(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("1,2\n3,4\n")
    with pytest.raises(typer.Exit), plain_errors():
        Reading().describe(path)
    assert "Pass --read header=false" in capsys.readouterr().err
    with pytest.raises(typer.Exit), plain_errors():
        Reading(decimal=";").describe(path)
    assert capsys.readouterr().err.startswith("labelscape: --read decimal must be '.'")


def test_a_misspelt_data_set_is_answered_with_the_verb_that_lists_them(capsys):
    with pytest.raises(typer.Exit), plain_errors():
        load("wien")
    assert capsys.readouterr().err.endswith(
        "Did you mean 'wine'? 'labelscape datasets' lists all data sets.\n"
    )


def test_words_of_others_are_left_as_they_are(capsys):
    assert code_of(ValueError("Pass id='x' or drop=['y'].")) == 2
    assert capsys.readouterr().err == "labelscape: Pass id='x' or drop=['y'].\n"


def test_parameters_of_estimators_keep_their_owner_and_name(capsys):
    from labelscape.embeddings import Sammon

    with pytest.raises(typer.Exit), plain_errors():
        Sammon(tol=-1.0).fit([[0.0], [1.0], [2.0]])
    assert capsys.readouterr().err.startswith("labelscape: Sammon: tol must be")


def test_a_note_is_in_options_and_said_once_whoever_listens_in_between(
    tmp_path, capsys
):
    path = tmp_path / "t.csv"
    path.write_bytes("a,y\n1,ä\n2,ö\n3,ä\n".encode("cp1252"))
    with plain_errors():
        for _ in range(2):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                Reading(label="y").read(path)
    assert capsys.readouterr().err == (
        "Note: 't.csv' is not in utf-8 and was read as cp1252. Pass --read "
        "encoding=cp1252 to confirm this, or the right encoding, such as --read "
        "encoding=shift_jis.\n"
    )
