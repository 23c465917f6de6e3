"""Plain English: words that are hard to read are not used in source, view and docs.

The list is short on purpose: each entry was read aloud by people who stopped there.
What must keep such a word, as a quotation does, is an exception by its line.
"""

import re
from pathlib import Path

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
    r"can not|one cloud": "cannot; one continuous group",
    r"anew": "again",
    r"tells? no tales|honest maps?": "validated",
    r"neighbours?|colours?|labell(ed|ing)|centres?": "American spelling",
    r"[\d.]+ %(?! [\dl])": "97%, without a space",
}
FORBIDDEN = {
    re.compile(rf"\b({words})(?!\w)", re.IGNORECASE): why
    for words, why in PATTERNS.items()
}
# What is built or generated.
NOT_OURS = {"_build", "auto_gallery", "auto_tutorials", "generated", "static"}
# The path of a file, and a part of the line.
EXCEPTIONS = {
    # Names of columns that people bring.
    ("src/labelscape/quality/certificate/dependence.py", "centroid center centre"),
}


def files():
    """Return the files that people read, except for what is generated."""
    folders = {"src/labelscape": {".py"}, "view/src": {".ts"}, "docs": {".md", ".py"}}
    for folder, kinds in folders.items():
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in kinds and not NOT_OURS & {*path.parts}:
                yield path
    yield ROOT / "README.md"


def test_text_is_plain_english():
    odd = [
        f"{name}, line {number}: {match[0]!r} ({why})"
        for path in files()
        for name in [path.relative_to(ROOT).as_posix()]
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for pattern, why in FORBIDDEN.items()
        if (match := pattern.search(line))
        and not any(name == file and part in line for file, part in EXCEPTIONS)
    ]
    assert odd == []


def test_the_list_of_words_finds_them():
    line = "Nobody is told that 97 % of new objects have neighbours."
    hits = [pattern.search(line)[0] for pattern in FORBIDDEN if pattern.search(line)]
    assert hits == ["Nobody", "is told", "new objects", "neighbours", "97 %"]
