"""Options as fields of a record, each with its rule and its name in each interface.

`labelscape.datasets.Reading` has the options for reading a table, and
`labelscape.jobs.RunOrder` those of a run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from labelscape._core.params import Rule

# Command-line option for the file format: --read skip=3.
READ = "--read"


@dataclass(frozen=True)
class Option:
    """An option: its allowed values, and its name in each interface."""

    rule: Rule
    help: str = ""  # one sentence for the command line
    # The name on the command line. If it is empty and there are no switches, the
    # command line sets the value itself.
    flag: str = ""
    short: str = ""
    metavar: str | None = None
    is_usual: bool = False  # whether the help lists it among the first options
    section: str | None = None  # another section of the help
    # Switches for one value each, with their help.
    switches: Mapping[Any, tuple[str, str]] = field(default_factory=dict)
    # The name in the app: a role in the list of columns, or a field of the page.
    role: str = ""
    page: str = ""
    # The names of the values in lists of the app.
    page_values: Mapping[Any, str] = field(default_factory=dict)
    # The jobs that have this option, and their argument if its name is different.
    jobs: tuple[str, ...] = ()
    argument: str = ""
    is_test: bool = False  # whether it requests a test, and changes nothing else

    @property
    def is_of_file(self) -> bool:
        """Whether the option describes the file format, not the columns."""
        return self.flag == READ


def option(default: Any, rule: Rule, words: str = "", **more: Any) -> Any:
    """Return a dataclass field for an option."""
    return field(default=default, metadata={"option": Option(rule, words, **more)})


class Declared:
    """Base of records whose fields are options."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @classmethod
    def options(cls) -> dict[str, Option]:
        """Return the properties of each option, by its name."""
        named = {one.name: one.metadata.get("option") for one in fields(cls)}
        return {name: known for name, known in named.items() if known is not None}


def call(function: str, *given: str, **more: Any) -> str:
    """Return Python code that calls a function; ``given`` is code of arguments."""
    return (
        f"{function}({', '.join([*given, *(f'{k}={v!r}' for k, v in more.items())])})"
    )
