"""The page of the league: tables, and critical differences of mean ranks."""

from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.stats import friedmanchisquare, rankdata, studentized_range

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"
RANKED = {
    "unseen": "Balanced accuracy of 5 nearest neighbors, held-out rows",
    "T": "Trustworthiness of held-out rows, 12 neighbors",
}
SHOWN = {**RANKED, "gap": "Gap: accuracy on fitted minus accuracy on held-out rows"}

# The keys that identify a result, and all keys that are no measures of the map.
KEYS = ("method", "code", "set", "seed", "rows", "data", "split")
NOT_MEASURES = (*KEYS, "packages", "seconds")

# Methods in the figure of gaps: label, color, and offset.
HIGHLIGHTED = {
    "cross_fitted": ("cross-fitted", "#0072b2", 0.13),
    "supervised_umap": ("supervised UMAP", "#d55e00", -0.13),
}


def write_page(rows, again, methods, sets, noise):
    """Write the results into docs/league.md, and the figures."""
    page = DOCS / "league.md"
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    words = results(rows, methods, sets, noise) + repeated(rows, again, methods)
    page.write_text(f"{before}{BEGIN}\n{words}{END}{after}", encoding="utf-8")
    for size, means in by_size(rows, methods).items():
        for measure in RANKED:
            names, table = complete(means[measure], methods, sets, noise)
            draw(names, table, DOCS / "images" / figure_name(measure, size))
        draw_gaps(means, sets, DOCS / "images" / figure_name("gap", size))


def results(rows, methods, sets, noise):
    """Return the generated part of the page."""
    parts = []
    for size, means in by_size(rows, methods).items():
        seeds = len({row["seed"] for row in rows if row["rows"] == size})
        parts.append(f"\n### At most {size:,} fitted rows, {seeds} splits\n")
        for measure, title in SHOWN.items():
            parts.append(
                f"\n**{title}.** Means over splits. Noise is left out of *mean*.\n\n"
            )
            parts.append(markdown(means[measure], methods, sets, noise))
            if measure in RANKED:
                names, table = complete(means[measure], methods, sets, noise)
                parts.append(ranks_in_words(names, table))
            file = figure_name(measure, size)
            parts.append(f"\n![{title}](images/{file})\n")
    failures = failed(rows, methods)
    parts.append("\n**Failures and absent methods.**\n\n" if failures else "\n")
    return "".join(parts) + "".join(f"- {line}\n" for line in failures)


def by_size(rows, methods):
    """Return means over splits: rows (most first), measure, (set, method)."""
    # Only results for the newest data and splits, by existing files, are comparable.
    newest = {(r["set"], r["seed"], r["rows"]): (r["data"], r["split"]) for r in rows}
    latest = {}
    for row in rows:
        key = row["set"], row["seed"], row["rows"]
        name = row["method"]
        if name not in methods or row["code"] != methods[name].code:
            continue
        if newest[key] == (row["data"], row["split"]) and "failed" not in row:
            latest[*key, name] = row
    values = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for (one, _, size, name), row in sorted(latest.items()):
        for measure in SHOWN:
            values[size][measure][one, name].append(row[measure])
    return {
        size: {
            measure: {key: float(np.mean(v)) for key, v in cells.items()}
            for measure, cells in measures.items()
        }
        for size, measures in sorted(values.items(), reverse=True)
    }


def markdown(means, methods, sets, noise):
    """Return a table with a line per method and a column per set, ordered by mean."""
    columns = [one for one in sets if any(key[0] == one for key in means)]
    lines = defaultdict(dict)
    for (one, name), value in means.items():
        lines[name][one] = value
    for line in lines.values():
        line["mean"] = float(np.mean([v for k, v in line.items() if k not in noise]))
    order = sorted(lines, key=lambda name: -lines[name]["mean"])
    columns.insert(0, "mean")
    text = "| | " + " | ".join(columns) + " |\n" + "|---" * (len(columns) + 1) + "|\n"
    for name in order:
        cells = [short(lines[name].get(one)) for one in columns]
        text += f"| {shown_name(methods[name])} | " + " | ".join(cells) + " |\n"
    return text


def short(value):
    """Return a number with three decimals, or a dash if there is none."""
    if value is None:
        return "–"
    return f"{value:.3f}".replace("-", "−")


def shown_name(method):
    """Return the title of a method with marks."""
    marks = ("" if method.uses_labels else "°") + ("*" if method.transductive else "")
    return method.title + marks.replace("*", "\\*")


def complete(means, methods, sets, noise):
    """Return titles and table (sets, methods) of methods with results for all sets."""
    played = [one for one in sets if one not in noise and (one, "data") in means]
    names = [
        name
        for name in methods
        if name != "data" and all((one, name) in means for one in played)
    ]
    table = np.array([[means[one, name] for name in names] for one in played])
    return [methods[name].title for name in names], table


def mean_ranks(table):
    """Return the mean rank of each method; 1 is best, ties get mean ranks."""
    return rankdata(-table.round(6), axis=1).mean(axis=0)


def critical_difference(n_methods, n_sets, level=0.05):
    """Return the critical difference of mean ranks (Nemenyi; Demšar 2006)."""
    q = studentized_range.ppf(1.0 - level, n_methods, np.inf) / np.sqrt(2.0)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_sets)))


def ties(ranks, difference):
    """Return the largest groups (first, last) of ranks without reliable difference."""
    groups = []
    for first, rank in enumerate(ranks):
        last = int(np.searchsorted(ranks, rank + difference, side="right")) - 1
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups


def ranks_in_words(names, table):
    """Return sentences on Friedman's test and the critical difference."""
    p = friedmanchisquare(*table.T).pvalue
    difference = critical_difference(len(names), len(table))
    return (
        f"\nFriedman's test of {len(names)} methods on {len(table)} data sets (without "
        f"noise): p = {p:.2g}. Mean ranks that differ by less than {difference:.2f} do "
        "not differ significantly (Nemenyi's test, 5%).\n"
    )


def figure_name(measure, size):
    """Return the file name of a diagram."""
    return f"league_{measure.lower()}_{size}.svg"


def draw(names, table, path):
    """Draw mean ranks on a line, and bars over ranks without reliable difference."""
    import matplotlib.pyplot as plt

    mean = mean_ranks(table)
    order = np.argsort(mean, kind="stable")
    ranks, half = mean[order], (len(order) + 1) // 2
    difference = critical_difference(len(names), len(table))
    groups = ties(ranks, difference)
    with plt.rc_context({"svg.hashsalt": "league", "svg.fonttype": "none"}):
        height = 1.2 + 0.12 * len(groups) + 0.24 * half
        figure, axes = plt.subplots(figsize=(8, height), layout="tight")
        axes.axis("off")
        k = len(names)
        axes.plot([1, k], [0, 0], color="black", linewidth=1)
        for tick in range(1, k + 1):
            axes.plot([tick, tick], [0, 0.12], color="black", linewidth=1)
            axes.text(tick, 0.2, str(tick), ha="center", va="bottom", size=8)
        axes.plot([1, 1 + difference], [1.0, 1.0], color="black", linewidth=2)
        axes.text(1, 1.1, f"critical difference {difference:.2f}", size=8)
        for level, (first, last) in enumerate(groups):
            depth = -0.25 - 0.25 * level
            ends = ranks[first] - 0.05, ranks[last] + 0.05
            axes.plot(ends, [depth, depth], color="#0072b2", linewidth=3)
        start = -0.5 - 0.25 * len(groups)
        for i, (rank, which) in enumerate(zip(ranks, order, strict=True)):
            left = i < half
            depth = start - 0.5 * (i if left else k - 1 - i)
            end = 0.2 if left else k + 0.8
            axes.plot([rank, rank, end], [0, depth, depth], color="0.4", linewidth=0.7)
            side = "right" if left else "left"
            label = (
                f"{names[which]} {rank:.1f}" if left else f"{rank:.1f} {names[which]}"
            )
            axes.text(end, depth, label, ha=side, va="center", size=8)
        axes.set_xlim(-0.25 * k, 1.25 * k + 1)
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)


def draw_gaps(means, sets, path):
    """Draw the accuracy of methods for fitted and held-out rows."""
    import matplotlib.pyplot as plt

    unseen, gap = means["unseen"], means["gap"]
    shown = [one for one in sets if any(key[0] == one for key in unseen)][::-1]
    with plt.rc_context({"svg.hashsalt": "league", "svg.fonttype": "none"}):
        size = (8, 0.42 * len(shown) + 1.2)
        figure, axes = plt.subplots(figsize=size, layout="tight")
        for row, one in enumerate(shown):
            others = [v for (name, _), v in unseen.items() if name == one]
            axes.plot(others, [row] * len(others), "|", color="0.6", markersize=9)
            for method, (title, color, shift) in HIGHLIGHTED.items():
                if (one, method) not in unseen:
                    continue
                new = unseen[one, method]
                style = {"color": color, "label": title if row == 0 else None}
                axes.plot([new, new + gap[one, method]], [row + shift] * 2, color=color)
                axes.plot(
                    new + gap[one, method], row + shift, "o", color=color, mfc="w"
                )
                axes.plot(new, row + shift, "o", **style)
        axes.set_yticks(range(len(shown)), shown)
        axes.set_xlabel("balanced accuracy: held-out (full) and fitted rows (hollow)")
        axes.plot([], [], "|", color="0.6", label="all methods: held-out rows")
        axes.legend(frameon=False, ncols=3, loc="lower right", bbox_to_anchor=(1, 1))
        axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)


def failed(rows, methods):
    """Return a line for each failure, and the methods that were not run."""
    current = [
        r for r in rows if r["code"] == getattr(methods.get(r["method"]), "code", 0)
    ]
    lines = {
        f"{methods[row['method']].title} on {row['set']}: {row['failed']}": None
        for row in current
        if "failed" in row
    }
    ran = {(row["rows"], row["method"]) for row in current}
    for size in sorted({size for size, _ in ran}, reverse=True):
        absent = [m.title for name, m in methods.items() if (size, name) not in ran]
        if absent:
            lines[f"Not run with at most {size:,} rows: {'; '.join(absent)}."] = None
    return list(lines)


def repeated(first, second, methods):
    """Return how the results of two runs with the same files and splits differ."""
    others = {tuple(row[key] for key in KEYS): row for row in second}
    by_method, pairs = defaultdict(list), 0
    for row in first:
        other = others.get(tuple(row[key] for key in KEYS))
        if other is None or row["method"] not in methods:
            continue
        pairs += 1
        if ("failed" in row) != ("failed" in other):
            by_method[row["method"]].append(None)
        elif "failed" not in row:
            off = {m: abs(row[m] - other[m]) for m in row if m not in NOT_MEASURES}
            if any(off.values()):
                by_method[row["method"]].append(off | {"any": max(off.values())})
    if not pairs:
        return ""
    n_differ = sum(map(len, by_method.values()))
    text = (
        "\n**Repeated run.** In a second run in new environments, "
        f"{pairs - n_differ} of {pairs} results were the same, to all six digits.\n"
    )
    if by_method:
        text += (
            "\nThe other results, with the largest difference in a split:\n\n"
            "| | results that differ | accuracy | trustworthiness | any measure |\n"
            "|---|---|---|---|---|\n"
        )
    for name, found in by_method.items():
        offs, failures = [off for off in found if off], found.count(None)
        most = (
            max((off[m] for off in offs), default=0) for m in ("unseen", "T", "any")
        )
        count = f"{len(found)}" + (f" ({failures} failed once)" if failures else "")
        cells = [count, *(f"{off:.4f}" for off in most)]
        text += f"| {shown_name(methods[name])} | " + " | ".join(cells) + " |\n"
    return text
