"""Everyday tables: requirements on certificate, audit, choice and map, and results.

    python -m benchmarks everyday [--only audit] [--tables 'overlap*'] [--half tune]
                                  [--seeds 1] [--jobs 1] [--cache DIR] [--show]

The tables are all tables in LABELSCAPE_DATA, data sets of scikit-learn, and generated
tables, at most 3,000 rows each. The tasks are certificate, audit, map (the three
candidates of `auto`, fitted to half of the rows) and choice (the method that `auto`
chooses). Each result is a line of out/everyday.jsonl and is not computed again. With
``--show``, results are only printed.

Each table belongs to one of two halves, by its name. Settings are chosen with ``--half
tune`` only, and published results are from ``--half report``. With ``--cache DIR``, the
audit stores the predictions of its models, to try other rules.

``--jobs`` runs several tables at the same time, each on one thread if
OMP_NUM_THREADS=1. Times are processor seconds.
"""

import argparse
import json
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks._everyday_tables import EASY, FEW_VALUES, half_of, names, table
from benchmarks._everyday_tasks import CANDIDATES, TASKS, finished

OUT = Path("out/everyday.jsonl")


def lines_so_far():
    if not OUT.exists():
        return []
    return [json.loads(line) for line in OUT.read_text(encoding="utf-8").splitlines()]


def play(tables, tasks, n_seeds, n_jobs, cache):
    """Run all cases that have no result, one seed after the other."""
    OUT.parent.mkdir(exist_ok=True)
    done = {(one["table"], one["task"], one["seed"]) for one in lines_so_far()}
    keys = ((t, task, s) for s in range(n_seeds) for task in tasks for t in tables)
    left = [key for key in keys if key not in done]
    orders = (delayed(finished)(*key, cache) for key in left)
    results = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(orders)
    for i, line in enumerate(results, 1):
        with OUT.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        key = f"{line['table']}, {line['task']}, seed {line['seed']}"
        print(f"{i} of {len(left)}: {key}, {line['seconds']:.0f} s", flush=True)


def show(title, rows):
    """Print a table of requirements with results, and whether they are reached."""
    print(f"\n{title}\n\n| check | must be | measured | reached |\n|---|---|---|---|")
    for check, limit, measured, is_reached in rows:
        word = {None: "–", True: "yes", False: "**no**"}[is_reached]
        print(f"| {check} | {limit} | {measured} | {word} |")


def share_row(check, hits, limit, *, least=False):
    """Return the row of a share of cases, at most (or at least) a limit."""
    must_be = f"{'≥' if least else '≤'} {limit:.0%}"
    if not hits:
        return check, must_be, "nothing measured", None
    share = np.mean(hits)
    is_reached = bool(share >= limit if least else share <= limit)
    return check, must_be, f"{sum(hits)} of {len(hits)} ({share:.1%})", is_reached


def certificates(found):
    """Print the table of the certificate."""
    everything = names()

    def real(kind, tables=everything, words=("yes", "partly")):
        used = [one["found"] for one in found if one["table"] in tables]
        return [one[kind]["real"] in words for one in used if kind in one]

    noise = [name for name in everything if name.startswith("noise")]
    others = [name for name in everything if name not in noise]
    no_labels, thrice = real("shuffled") + real("labels", noise), real("three times")
    rows = [
        share_row("shuffled labels and noise: yes or partly", no_labels, 0.05),
        share_row("few values: real", real("labels", FEW_VALUES), 1.0, least=True),
        share_row("few values, shuffled: real", real("shuffled", FEW_VALUES), 0.0),
        share_row("… and every row three times: real", thrice, 0.0),
        share_row("true labels: untested", real("labels", others, "untested"), 0.0),
        share_row("crossed donors, 2 sd: real", real("effect"), 0.95, least=True),
        share_row("crossed donors, no effect: real", real("no effect"), 0.05),
        share_row("effect in one donor only: real", real("one donor"), 0.05),
    ]
    show("Certificate", rows)


def audits(found):
    """Print the table of the audit."""

    def lists(kinds, is_used=lambda name: True):
        runs = (one["found"] for one in found if is_used(one["table"]))
        return [run[kind] for run in runs for kind in kinds if kind in run]

    def is_noise(name):
        return name.startswith("noise")

    planted = ("5%", "10%", "20%", "systematic")
    everyday = lists(planted, lambda n: n not in EASY and not is_noise(n))
    easy = lists(planted, lambda n: n in EASY)
    rows = []
    for part, runs, least in (
        ("everyday", everyday, None),
        ("easy", easy, 0.7),
        ("1 and 3% errors", lists(("1%", "3%")), 0.6),
    ):
        if not runs:
            continue
        above = [run["false"] > 0.13 for run in runs if run["listed"] >= 8]
        listed = max(sum(run["listed"] for run in runs), 1)
        pooled = sum(run["listed"] - run["right"] for run in runs) / listed
        mean = np.mean([run["found"] for run in runs])
        enough = None if least is None else bool(mean >= least)
        limit = "–" if least is None else f"≥ {least:.0%}"
        rows += [
            share_row(f"{part}: lists of 8 or more above 13%", above, 0.1),
            (f"{part}: pooled rate", "≤ 10%", f"{pooled:.1%}", pooled <= 0.1),
            (f"{part}: found, mean", limit, f"{mean:.1%}", enough),
        ]
    nothing = lists(["none"], lambda name: not is_noise(name))
    noise = lists(["none"], is_noise) + lists(["shuffled"])
    long = [run["flagged"] > 0.02 for run in nothing]
    rows.append(share_row("nothing planted: lists above 2% of rows", long, 0.0))
    long = [run["flagged"] > 0.01 for run in noise]
    rows.append(share_row("noise, shuffled: lists above 1% of rows", long, 0.05))
    raised = ["raised" in one["found"] for one in found]
    rows.append(share_row("tables on which audit raises", raised, 0.0))
    show("Audit", rows)


def choices(found, maps):
    """Print the table of the choice and the cross-fitted map, with means over seeds.

    The best method on the same splits is best partly by chance. Therefore the table
    also shows the loss against the method that is best for all other seeds.
    """
    chosen = {(one["table"], one["seed"]): one["found"]["method"] for one in found}
    by_table = {}
    for one in maps:
        known = {m: scores for m, scores in one["found"].items() if "five" in scores}
        method = chosen.get((one["table"], one["seed"]))
        if method in known and not one["table"].startswith("noise"):
            by_table.setdefault(one["table"], []).append(
                known | {"auto": known[method]}
            )
    means = {
        name: {
            m: {f: np.mean([one[m][f] for one in seeds]) for f in seeds[0][m]}
            for m in seeds[0]
            if all(m in one for one in seeds)
        }
        for name, seeds in by_table.items()
    }
    rows = []
    for figure, words in {"five": "5 neighbors", "best": "best number"}.items():
        losses = {
            name: max(scores[m][figure] for m in CANDIDATES if m in scores)
            - scores["auto"][figure]
            for name, scores in means.items()
        }
        mean = np.mean(list(losses.values()))
        check = f"`auto` below its best candidate, {words}"
        rows.append((f"{check}: mean", "≤ .005", f"{mean:.4f}", bool(mean <= 0.005)))
        rows.append(largest_row(f"{check}: largest", losses))
        named = [loss_to_named(seeds, figure) for seeds in by_table.values()]
        if len(next(iter(by_table.values()))) > 1:
            shown = f"{np.mean(named):.4f}"
            rows.append((f"… the best of the other seeds, {words}", "–", shown, None))
    maps = {name: scores["crossfit"] for name, scores in means.items()}
    rows += gap_rows(maps, {name: len(seeds) for name, seeds in by_table.items()})
    for method in ("data", *CANDIDATES, "auto"):
        known = [scores[method] for scores in means.values() if method in scores]
        shown = ", ".join(
            f"{np.mean([k[f] for k in known]):.3f}" for f in ("five", "best")
        )
        rows.append((f"{method}: mean of 5 neighbors, of the best", "–", shown, None))
    show("Choice and cross-fitted map", rows)


def loss_to_named(seeds, figure):
    """Return the mean loss against the candidate that is best on all other seeds."""
    known = [m for m in CANDIDATES if all(m in one for one in seeds)]
    losses = []
    for i, one in enumerate(seeds):
        others = seeds[:i] + seeds[i + 1 :] or [one]
        best = max(known, key=lambda m: sum(o[m][figure] for o in others))
        losses.append(one[best][figure] - one["auto"][figure])
    return np.mean(losses)


def gap_rows(maps, n_seeds):
    """Return the rows of the gaps of cross-fitted maps, also with lower bounds."""
    gaps = {name: abs(scores["gap"]) for name, scores in maps.items()}
    surely = {
        name: gaps[name] - 1.96 * scores["gap_error"] / np.sqrt(n_seeds[name])
        for name, scores in maps.items()
    }
    check = "cross-fitted map: gap"
    return [
        largest_row(check, gaps),
        largest_row(f"{check}, lower end of its 95% interval", surely),
    ]


def largest_row(check, values):
    """Return the row for tables with more than 200 rows."""
    falling = sorted(values, key=values.get, reverse=True)
    large = [n for n in falling if values[n] > 0.02 and len(table(n).X) > 200]
    shown = "; ".join(f"{name} {values[name]:.3f}" for name in large[:6])
    is_reached = all(values[name] <= 0.03 for name in large)
    return f"{check}, above 200 rows", "≤ .03", shown or "≤ .02", is_reached


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=list(TASKS), action="append")
    parser.add_argument("--tables", default="*")
    parser.add_argument("--half", choices=["tune", "report"])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cache")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    halves = [args.half] if args.half else ["tune", "report"]
    tables = [n for n in names() if fnmatch(n, args.tables) and half_of(n) in halves]
    if not args.show:
        play(tables, args.only or list(TASKS), args.seeds, args.jobs, args.cache)
    found = {task: [] for task in TASKS}
    for one in lines_so_far():
        if one["table"] in tables and one["seed"] < args.seeds:
            found[one["task"]].append(one)
    for task, shown in (("certificate", certificates), ("audit", audits)):
        if found[task]:
            shown(found[task])
    if found["map"] and found["choice"]:
        choices(found["choice"], found["map"])


if __name__ == "__main__":
    main()
