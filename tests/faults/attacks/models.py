"""Attack ``load`` by files with skops parts: ``python -m tests.faults.attacks.models``.

``models 500`` makes 500 files, loads each in a forked process with limits, uses the
model, and fits it again. It prints each finding, and a table of what came of each kind.
``models memory:3`` repeats one case.
"""

import faulthandler
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from tests.faults.attacks.model_bases import X, Y
from tests.faults.attacks.model_cases import KINDS

import labelscape
from labelscape import ModelFileError

# Limits of a case: more memory than before, and seconds of processor time. One that
# waits for ever uses none, so the time on the clock is limited, too.
MEMORY, SECONDS, PATIENCE = 2 * 2**30, 10, 300
FINE = ("refused", "used", "error in use")
USES = ("predict", "predict_proba", "decision_function", "transform", "apply",
        "decision_path", "score_samples", "kneighbors")  # fmt: skip
# Events of Python by which code is run, or a file is read.
RUNS = ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "subprocess.Popen",
        "pickle.find_class")  # fmt: skip


def case(number):
    """Return the kind and the seed of a case; kinds take turns."""
    kinds = list(KINDS)
    return kinds[number % len(kinds)], number // len(kinds)


def attempt(folder, told):
    """Load and use the model; return what came of it, in a process of its own."""
    seen, own = [], folder / "a.model"

    def watch(event, arguments):
        if event in RUNS:
            seen.append(event)
        elif event == "open" and str(folder) in str(arguments[0]):
            seen.extend([f"opens {arguments[0]}"] * (str(arguments[0]) != str(own)))

    sys.addaudithook(watch)
    try:
        model = labelscape.load(own)
    except ModelFileError:
        outcome = "refused"
    except Exception as error:
        traceback.print_exc()
        outcome = f"raw: {type(error).__name__}"
    else:
        outcome = used(model, folder, told)
    return outcome if not seen else f"reaches out: {', '.join(sorted(set(seen)))[:200]}"


def used(model, folder, told):
    """Ask a model all that it can be asked, and fit it again."""
    outcome = "used"
    texts = [str(folder / "secret.txt")] * 3
    rows = (
        X if hasattr(model, "n_features_in_") or not hasattr(model, "input") else texts
    )
    for name in (*USES, "fit"):
        told(name)
        try:
            getattr(model, name)(rows, *([Y] if name == "fit" else []))
        except AttributeError:
            continue
        except Exception:
            outcome = "error in use"
    return outcome


def forked(number):
    """Return kind, seed, name, and outcome of a case, its memory in MB and seconds."""
    kind, seed = number if isinstance(number, tuple) else case(number)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "secret.txt").write_text("secret")
        (folder / "evil_module.py").write_text(f"open({name + '/canary'!r}, 'w')")
        rng = np.random.default_rng([seed, len(kind), sum(map(ord, kind))])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            words = KINDS[kind](rng, folder)
        outcome, memory, seconds = _watched(folder)
        if (folder / "canary").exists():
            outcome = "code was run"
    return kind, seed, words, outcome, memory, seconds


def _watched(folder):
    pipe, theirs = os.pipe()
    child = os.fork()
    if not child:
        os.close(pipe)
        _child(folder, theirs)
    os.close(theirs)
    end, status, usage = time.monotonic() + PATIENCE, None, None
    while time.monotonic() < end:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.02)
    else:
        os.kill(child, signal.SIGKILL)
        os.wait4(child, 0)
        os.close(pipe)
        return "hangs", 0, PATIENCE
    with os.fdopen(pipe) as lines:
        told = [json.loads(line) for line in lines]
    seconds = usage.ru_utime + usage.ru_stime
    step = next((one["step"] for one in reversed(told) if "step" in one), "load")
    if os.WIFSIGNALED(status):
        sign = signal.Signals(os.WTERMSIG(status)).name
        what = "too slow" if sign in ("SIGXCPU", "SIGKILL") else f"crash by {sign}"
        return f"{what} in {step}", 0, seconds
    if not told or "outcome" not in told[-1]:
        return f"ended by code {os.WEXITSTATUS(status)} in {step}", 0, seconds
    return told[-1]["outcome"], told[-1]["memory"], seconds


def _child(folder, theirs):
    """Try the file and end; the parent learns each step, and the outcome."""
    code = 1
    try:
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        before = _status("VmSize")
        limit = before * 2**20 + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sink = os.open("/dev/null", os.O_WRONLY)
        if not VERBOSE:
            os.dup2(sink, 2)

        def told(**more):
            os.write(theirs, json.dumps(more).encode() + b"\n")

        warnings.simplefilter("ignore")
        outcome = attempt(folder, lambda step: told(step=step))
        told(outcome=outcome, memory=_status("VmHWM"))
        code = 0
    finally:
        os._exit(code)


VERBOSE = False


def _status(name):
    text = Path("/proc/self/status").read_text()
    return int(re.search(rf"{name}:\s*(\d+)", text)[1]) // 1024


def table(results):
    """Return the number of each outcome by kind, as text."""
    kinds = list(dict.fromkeys(result[0] for result in results))
    heads = sorted(
        {_head(result) for result in results}, key=lambda one: one not in FINE
    )
    lines = ["| kind | files | " + " | ".join(heads) + " | MB | seconds |"]
    lines.append("|---" * (len(heads) + 4) + "|")
    for kind in (*kinds, "all"):
        own = [one for one in results if kind in ("all", one[0])]
        counts = Counter(map(_head, own))
        cells = [kind, len(own), *(counts[head] for head in heads)]
        cells += [max(one[4] for one in own), f"{max(one[5] for one in own):.1f}"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def _head(result):
    return result[3].partition(" in ")[0].partition(":")[0]


def is_fine(result):
    return result[3] in FINE and result[4] <= MEMORY / 2**20


def main(words):
    global VERBOSE
    faulthandler.enable()
    if ":" in words[0]:
        kind, seed = words[0].split(":")
        VERBOSE = True
        print(forked((kind, int(seed))))
        return 0
    results = []
    for number in range(int(words[0])):
        results.append(forked(number))
        if not is_fine(results[-1]):
            kind, seed, what, outcome, memory, seconds = results[-1]
            print(f"{kind}:{seed} {what}: {outcome} ({memory} MB, {seconds:.1f} s)")
            sys.stdout.flush()
    print(table(results))
    return sum(not is_fine(result) for result in results) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["500"]))
