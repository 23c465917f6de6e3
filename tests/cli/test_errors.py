import warnings

import pytest
import typer

from labelscape.cli._errors import plain_errors


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
    ("words", "in_options"),
    [
        ("Pass drop=['b'], nominal=['c'];", "Pass --drop 'b', --nominal 'c';"),
        ("Pass id='x' or drop=[0], id=0.", "Pass --id 'x' or --drop 0, --id 0."),
        ("such as encoding='utf-16'.", "such as --encoding 'utf-16'."),
        (
            "such as delimiter=';' or decimal=','",
            "such as --delimiter ';' or --decimal ','",
        ),
        ("header=False or header=True", "--no-header or --header"),
        ("pass missing_values=['-']", "pass --missing-value '-'"),
        ("pass unlabelled='drop' to", "pass --drop-unlabelled to"),
        ("labelscape.datasets.available() lists", "'labelscape datasets' lists"),
        ('Pass drop=["it\'s"].', 'Pass --drop "it\'s".'),
        ("read_table: delimiter must be", "--delimiter must be"),
        ("label: there is no column", "--label: there is no column"),
        ("label and id both name", "--label and --id both name"),
        ("encoding: Python knows no", "--encoding: Python knows no"),
    ],
)
def test_advice_is_given_in_options_of_the_command_line(words, in_options):
    from labelscape.cli._errors import _in_options

    assert _in_options(words) == in_options


def test_a_note_is_in_options_and_said_once_whoever_listens_in_between(capsys):
    with plain_errors():
        for _ in range(2):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                warnings.warn("Pass encoding='cp1252'.", stacklevel=1)
    assert capsys.readouterr().err == "Note: Pass --encoding 'cp1252'.\n"
