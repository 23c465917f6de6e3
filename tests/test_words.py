"""Plain English: words that readers stumble over stay out of source, view and docs.

The list is short on purpose: each entry was read aloud by people who stopped there.
What must keep such a word, as a quotation does, is an exception by its line.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PATTERNS = {
    r"nobody|somebody|whoever|who asks": "name the actor: the caller, the user",
    r"found out|(is|are|was|were|be) told": "detected; reported",
    r"(has|have|had) no say": "is not used",
    r"tell(s|ing)? (\S+ ){1,6}apart|what parts": "separates, distinguishes",
    r"(unseen|new) objects?": "held-out rows, new rows",
    r"taken by itself|(is|are) taken automatically": "chosen automatically",
    r"mend(s|ed|ing)?": "fix, correct",
    r"of so many|of so few": "at most N",
    r"anew": "again",
    r"tells? no tales|honest maps?": "validated",
    r"neighbours?|colours?|labell(ed|ing)|centres?": "American spelling",
    r"\d %": "97%, without a space",
}
FORBIDDEN = {
    re.compile(rf"\b({one})(?!\w)", re.I): why for one, why in PATTERNS.items()
}
# The path of a file, and a part of the line.
EXCEPTIONS: set[tuple[str, str]] = set()


def files():
    """Return the files that people read, except for what is generated."""
    for folder, kinds in (
        ("src/labelscape", ".py"),
        ("view/src", ".ts"),
        ("docs", ".md .py"),
    ):
        for path in sorted((ROOT / folder).rglob("*")):
            parts = path.relative_to(ROOT).parts
            if path.suffix in kinds.split() and not {
                "_build",
                "generated",
                "static",
            } & {*parts}:
                yield path
    yield ROOT / "README.md"


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_written_in_plain_english(path):
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    odd = [
        f"line {number}: {match[0]!r} ({why})"
        for number, line in enumerate(text.splitlines(), 1)
        for pattern, why in FORBIDDEN.items()
        if (match := pattern.search(line))
        and not any(name == file and part in line for file, part in EXCEPTIONS)
    ]
    assert odd == []
