"""Messages as records, with the wording of each host."""

import pickle
from pathlib import Path

from labelscape._core.errors import (
    FileName,
    Function,
    InputError,
    InputWarning,
    ParameterError,
    Setting,
    Wording,
    sentence,
)


class Shouting(Wording):
    def owner(self, owner):
        return ""

    def setting(self, setting):
        return f"--{setting.parameter}"

    def file(self, file):
        return "YOURS"


HARD = InputError(
    FileName(Path("a/b.csv")),
    " has no class. Pass ",
    Setting("label", "y"),
    " or see ",
    Function("labelscape.datasets.available"),
    ".",
    owner="read_table",
)


def test_a_message_reads_as_python_where_nobody_says_otherwise():
    assert str(HARD) == (
        "read_table: 'b.csv' has no class. Pass label='y' or see "
        "labelscape.datasets.available()."
    )


def test_a_host_says_the_parts_in_its_own_language():
    words = "YOURS has no class. Pass --label or see labelscape.datasets.available()."
    assert HARD.render(Shouting()) == words


def test_advice_is_what_may_be_set_and_not_what_is_only_named():
    error = InputError(Setting("label"), " is wrong. Pass ", Setting("drop", [0]), ".")
    assert error.advice == (Setting("drop", [0]),)
    assert str(error) == "label is wrong. Pass drop=[0]."


def test_braces_in_names_stay_as_they_are():
    assert str(InputError("Column '{x}' is empty.")) == "Column '{x}' is empty."


def test_a_file_shows_its_path_where_that_helps():
    assert str(InputError(FileName(Path("a/b.csv"), whole=True))) == repr(
        str(Path("a/b.csv"))
    )


def test_an_error_survives_the_way_out_of_a_process():
    for error in (HARD, ParameterError("Sammon", "tol", -1, "a number")):
        copy = pickle.loads(pickle.dumps(error))
        assert str(copy) == str(error)
        assert (copy.owner, copy.parameter) == (error.owner, error.parameter)
        assert (copy.value, copy.wanted) == (error.value, error.wanted)


def test_a_warning_is_a_record_too():
    warning = InputWarning("Read as\n", Setting("encoding", "cp1252"), ".")
    assert sentence(warning) == "Read as encoding='cp1252'."
    assert sentence(warning, Shouting()) == "Read as --encoding."
    assert sentence(ValueError("two\nlines")) == "two lines"
