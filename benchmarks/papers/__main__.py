"""Run the scripts that have no result yet: ``python -m benchmarks.papers [NAME ...]``.

They run in one process, so that figures of the same fits share them. ``FRESH=1`` runs
all again; names choose papers or scripts, such as ``p000`` or ``p001.fig5``.
"""

import importlib
import os
import pkgutil
import sys
import traceback
from time import perf_counter, process_time

import benchmarks.papers
from benchmarks.papers._kept import forget
from benchmarks.papers._record import append, seconds


def scripts(package=benchmarks.papers, before=""):
    """Return the names of all scripts, below the package."""
    names = []
    for module in pkgutil.iter_modules(package.__path__):
        name = before + module.name
        if module.ispkg:
            inner = importlib.import_module(f"benchmarks.papers.{name}")
            names += scripts(inner, f"{name}.")
        elif module.name.startswith(("fig", "table", "comparison", "outlook")):
            names.append(name)
    return names


def chosen(wanted):
    """Return the scripts of which one of the wanted names is the beginning."""
    everything = scripts()
    found = [name for name in everything if not wanted or name.startswith(wanted)]
    if not found:
        sys.exit(f"No script of that name. There are: {', '.join(everything)}.")
    return found


def run(name):
    """Run one script and note its time; return whether nothing went wrong."""
    start, work = perf_counter(), process_time()
    try:
        importlib.import_module(f"benchmarks.papers.{name}").main()
    except FileNotFoundError as error:
        print(f"{name} is left out, data are absent: {error}")
        return True
    except Exception:
        traceback.print_exc()
        return False
    took = {"seconds": perf_counter() - start, "cpu": process_time() - work}
    append({"script": name} | {key: round(value, 1) for key, value in took.items()})
    return True


def main():
    wanted = tuple(sys.argv[1:])
    if is_fresh := os.environ.get("FRESH") == "1":
        forget()
    known = {} if is_fresh else seconds()
    open_ones = [name for name in chosen(wanted) if name not in known]
    failed = [name for name in open_ones if not run(name)]
    if failed:
        sys.exit(f"Failed: {', '.join(failed)}.")


if __name__ == "__main__":
    main()
