"""Write the pages of the guide on papers: results beside printed ones, and settings.

    python scripts/papers_page.py

``docs/papers.md`` shows the latest results of ``make papers``, which are committed as
``docs/papers_results.jsonl``. The table of ``docs/papers_settings.md`` shows parameters
of the estimators. No number is written by hand.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.papers import _verdict, settings  # noqa: E402
from benchmarks.papers import acceptance as specified  # noqa: E402
from benchmarks.papers.__main__ import scripts  # noqa: E402
from benchmarks.papers._record import (  # noqa: E402
    OTHER_RUN,
    latest,
    other_processors,
    other_seeds,
    processor_times,
    publish,
)

PAPERS = {
    "000": "Bunte et al. (2012): limited rank matrix learning",
    "001": "Hammer, Gisbrecht, Schulz (2013): discriminative dimensionality reduction",
    "002": "Bunte et al. (2010): neighbor embedding exploratory observation machine",
    "003": "Kriegel and Schubert: advanced prototype machines",
    "004": "Lespinats, Meyer-Baese, Aupetit: ClassiMap",
}
# Requirements of the specifications on the data of a paper, not claims of the paper.
SPECIFIED = "Specification"
HEAD = """# Evidence: tables and figures of the papers, reproduced

<!-- Written by scripts/papers_page.py from the results of `make papers`. -->

This page compares our results with each table and figure of the papers in which the
methods were published. `make papers` runs one script for each table and figure and
writes this page. `make papers FRESH=1` repeats all computations. The page
[settings of the papers](papers_settings.md) lists where our defaults differ.

**How results are judged.** Claims are quoted from the papers, and each claim is judged
once. If a claim has no number, its row describes how we tested it. Models have the
settings of the paper (`as_in_paper()`), not our defaults. The number after ± is the
standard error of the difference between our result and the printed one. It is
s√(1/n + 1/m) if we have n runs with standard deviation s, and the paper has m runs. A
number without ± is the same with all seeds, but can differ slightly between
[processors](#other-processors). A difference of one unit in the last printed digit is
ignored, because the paper may have rounded its number.

| short form | meaning |
|---|---|
| 92.9 / 88.0 | training and test accuracy, in percent |
| 0.07 / 0.89 / 0.88 | Sammon's stress, Spearman's rho, Pearson's r of the distances |
| T, C | trustworthiness and continuity, with 12 neighbors unless stated |
| 1-NN, 5-NN | accuracy of the nearest neighbor, of five nearest neighbors |
| M | rank of the relevance matrix |
| 7P, 14P, 15P | model with 7, 14 or 15 prototypes |
| LLiRaM | LiRaM LVQ with local matrices |
| k, l | number of neighbors, number of line searches of NCA |
| PAG, LVQaG, ICF | Push and Grow, LVQ and Grow, iterative case filtering |
| block | ten runs, which is the number of runs in the paper |

The verdict of each row follows these rules:

"""
CHANGED = """Some verdicts changed when the rules became stricter. [This
table](evidence_methods.md#papers-changed-verdicts) lists the changes and their reasons.
"""
OTHER = (
    "`make papers SEED=1` repeats the results of {} of {} scripts with other seeds. "
    "Of {} rows, {} have the same verdict. The table lists the rows with another "
    "verdict. Their results are near a limit between verdicts or count only a few runs."
)
PROCESSORS = (
    "Libraries choose their code by the processor, so the last bits of sums differ, "
    "and iterative methods amplify the differences. `make papers PROCESSOR=Nehalem` "
    "repeats scripts with the code for another processor. Of {} rows, {}."
)
DEMANDS = (
    "Before the methods were written, specifications listed what the methods must "
    "reach. Most of these requirements are not claims of a paper. Each requirement is "
    "shown by a row of this page, by a test, or by a benchmark on another page "
    '("see there"). "Tested in part" means that the test checks less than the '
    "requirement, so that it is fast."
)
TIMES = (
    "If several figures use the same fits, only the first figure includes their time. "
    "The work of child processes is not included."
)


def cell(value):
    """Return a value as text for a cell of a Markdown table."""
    return str(value).replace("|", "\\|").replace("\n", " ")


def table(head, rows):
    """Return a Markdown table."""
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *(f"| {' | '.join(map(cell, row))} |" for row in rows)])


def rules():
    """Return the meanings of the verdicts as a list."""
    pairs = _verdict.MEANINGS.items()
    return "\n".join(f'- "{word}": {meaning}.' for word, meaning in pairs)


def section(result, head=None, second="paper"):
    """Return the results of a table or figure; ``second`` is the header of targets."""
    columns = ("what", "paper", "ours", "settings", "verdict")
    rows = [[row.get(key, "") for key in columns] for row in result["rows"]]
    shown = table(("what", second, *columns[2:]), rows)
    figure = result.get("figure")
    drawn = f"\n\n![{result['item']}](images/papers/{figure})" if figure else ""
    tried = {}
    for row in result["rows"]:
        if "tried" in row:
            tried.setdefault(row["tried"], []).append(row["what"])
    lines = [
        f"- {note[0].upper()}{note[1:]}. Rows: {'; '.join(names)}."
        for note, names in tried.items()
    ]
    notes = (
        [
            '\n\nNotes on rows that are "not reached", "differs" or "undecided":\n',
            *lines,
        ]
        if lines
        else []
    )
    return "\n".join([f"### {head or result['item']}\n\n{shown}{drawn}", *notes]) + "\n"


def authors(paper):
    """Return the authors and year of a paper."""
    return PAPERS[paper].split(":")[0]


def counted(results):
    """Return a table of the number of rows of each paper with each verdict."""
    words = _verdict.WORDS
    rows = []
    for paper in PAPERS:
        found = [
            row["verdict"]
            for key, result in results.items()
            if key[0] == paper and key[1] != SPECIFIED
            for row in result["rows"]
        ]
        rows.append([authors(paper), *(found.count(word) for word in words)])
    return table(("paper", *words), rows)


def in_order(results):
    """Return results in the order of the papers: figures, then tables, by number."""

    def place(key):
        digits = "".join(c for c in key[1] if c.isdigit())
        return key[0], not key[1].startswith("Fig"), int(digits or 0), key[1]

    return [results[key] for key in sorted(results, key=place)]


def acceptance():
    """Return a table of the requirements of the specifications, each with its proof."""
    rows = [
        (row.spec, row.what, row.wanted, _shown_by(row), specified.verdict_of(row))
        for row in specified.rows()
    ]
    return table(("specification", "what", "must be", "shown by", "verdict"), rows)


def _shown_by(row):
    """Return what proves a row: a test, a command, or a row of a table or figure."""
    proof = row.proof
    if "::" in proof or proof.startswith("python"):
        proof = f"`{proof}`"
    else:
        paper, item, what = proof.split("; ")
        proof = f"{authors(paper)}, {item}: {what}"
    return f"{proof} ({row.note})" if row.note else proof


def other_verdicts(results, others):
    """Return the rows whose verdict differs in another run, and the number compared."""
    rows, n_rows = [], 0
    for key in sorted(results.keys() & others.keys()):
        again = {row.get("what"): row for row in others[key]["rows"]}
        for row in results[key]["rows"]:
            if (other := again.get(row.get("what"))) is None:
                continue
            n_rows += 1
            if other["verdict"] != row["verdict"]:
                shown = [(one["ours"], one["verdict"]) for one in (row, other)]
                what = f"{authors(key[0])}, {key[1]}: {row.get('what', '')}"
                rows.append((what, row["paper"], *shown[0], *shown[1]))
    return rows, n_rows


def coin_flips(results):
    """Return a table of the verdicts that change with other random seeds."""
    others = other_seeds()
    rows, n_rows = other_verdicts(results, others)
    n_both = len(results.keys() & others.keys())
    words = OTHER.format(n_both, len(results), n_rows, n_rows - len(rows))
    head = ("row", "paper", "ours", "verdict", "other seeds", "verdict there")
    return f"## Other seeds\n\n{words}\n\n{table(head, rows)}"


def processors(results):
    """Return what is known of verdicts on other processors, and those that change."""
    lines, counts = [], []
    for name, others in sorted(other_processors().items()):
        rows, n_rows = other_verdicts(results, others)
        lines += [(*row[:4], name, *row[4:]) for row in rows]
        same = f"{n_rows - len(rows)} have the same verdict"
        counts.append(f"{n_rows} were repeated with {name} ({same})")
    n_all = sum(len(result["rows"]) for result in results.values())
    words = PROCESSORS.format(n_all, ", ".join(counts))
    head = ("row", "paper", "ours", "verdict", "processor", "there", "verdict there")
    shown = f"\n\n{table(head, lines)}" if lines else ""
    return f"## Other processors\n\n{words}{shown}"


def papers_page():
    """Return the page of the results."""
    results, times = latest(), processor_times()
    parts = [HEAD + rules(), counted(results), CHANGED]
    demands = [one for one in in_order(results) if one["item"] == SPECIFIED]
    papers = [one for one in in_order(results) if one["item"] != SPECIFIED]
    for paper, title in PAPERS.items():
        own = [one for one in papers if one["paper"] == paper]
        parts.append(f"## {title}")
        parts += [section(one) for one in own] or ["No result yet: run `make papers`."]
    parts.append(
        f"## Requirements of the specifications\n\n{DEMANDS}\n\n{acceptance()}"
    )
    for one in demands:
        parts.append(section(one, f"On the data of {authors(one['paper'])}", "must be"))
    parts += [coin_flips(results), processors(results)]
    rows = [(name, times.get(name, "not run yet")) for name in scripts()]
    rows.append(("all", round(sum(times.get(name, 0) for name in scripts()))))
    head = ("script", "seconds of one core")
    parts.append(f"## Time\n\n{TIMES}\n\n{table(head, rows)}")
    return "\n\n".join(part.strip() for part in parts) + "\n"


def main():
    """Write both pages, and save the results that they show."""
    publish()
    if OTHER_RUN:
        return
    page = ROOT / "docs" / "papers_settings.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(settings.renewed(text), encoding="utf-8")
    (ROOT / "docs" / "papers.md").write_text(papers_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
