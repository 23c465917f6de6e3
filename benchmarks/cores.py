"""Seconds of the main computations with 1, 2, 4, 8 and 16 cores, and the serial share.

    python -m benchmarks cores [--cores 1,2,4,8,16] [--only audit,certificate]
    python -m benchmarks cores --shares


Each number is from a separate process with this number of cores, after a small fit
that compiled all loops. The serial share s is computed by Amdahl's law for the largest
number of cores, t(k) = t(1) (s + (1 - s) / k). All bits of results are compared, and
"differs" is an error. Data are read from LABELSCAPE_DATA (default: ../shared/data).

With ``--shares``, each task runs on one thread, so that other processes do not matter,
and its processor time is sampled. Time outside of blocks of `_core.threads` is serial,
and so are loops of openTSNE and other libraries.
"""

import argparse
import hashlib
import json
import os
import signal
import subprocess
import sys
import warnings
from time import perf_counter, process_time, thread_time

import numpy as np

FEW = 400  # samples of the fit that compiles


def letters(n):
    """Return n letters with 16 features of 26 classes, standardized."""
    from sklearn.preprocessing import StandardScaler

    from benchmarks.league import table

    X, y = table("letter")
    rows = np.random.default_rng(0).permutation(len(X))[:n]
    return StandardScaler().fit_transform(X[rows]), y[rows]


def digits(n):
    """Return n digits in 60 principal components."""
    from sklearn.decomposition import PCA

    from benchmarks.league import table
    from labelscape._core.threads import one_blas_thread

    X, y = table("mnist")
    with one_blas_thread():  # same input for all numbers of cores
        return PCA(60, random_state=0).fit_transform(X[:20_000])[:n], y[:n]


def pixels(n):
    """Return n pixels with six bands, standardized."""
    from labelscape.datasets import make_satellite

    X, y = make_satellite(n, random_state=0)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def audit(X, y):
    from labelscape import audit

    report = audit(X, y, random_state=0)
    return report.ranking, report.chance_wrong


def certificate(X, y):
    from labelscape.prototypes import LiRaMLVQ
    from labelscape.quality import honesty

    report = honesty(LiRaMLVQ(), X, y, random_state=0)
    return report.points.right, report.p_value


def picture(X, y):
    from sklearn.svm import SVC

    from labelscape.boundary import ClassifierMap

    model = ClassifierMap(SVC().fit(X, y), random_state=0).fit(X)
    return model.embedding_, model.regions_.lead


def crossfit(X, y):
    from labelscape.jobs.methods import method_named

    return (method_named("crossfit").new({}, 0).fit(X, y).embedding_,)


def report(X, y):
    from labelscape.quality import report

    return (np.array(list(report(X, X[:, :2], y).scores.values())),)


def liram(X, y):
    from labelscape.prototypes import LiRaMLVQ

    model = LiRaMLVQ(random_state=0, max_iter=30, tol=0.0).fit(X, y)
    return model.prototypes_, model.omega_


def classimap(X, y):
    from labelscape.embeddings import ClassiMap

    return (ClassiMap(random_state=0).fit_transform(X, y),)


def fisher(X, y):
    from labelscape.geometry import FisherMetric

    return (FisherMetric(random_state=0).fit(X, y).pairwise(),)


WORKS = {
    "audit, 10,000 × 16, 26 classes": (audit, letters, 10_000),
    "audit, 10,000 × 60": (audit, digits, 10_000),
    "certificate, 5,000 × 16, LiRaM": (certificate, letters, 5_000),
    "picture of an SVC, 5,000 × 16": (picture, letters, 5_000),
    "cross-fitted map, 10,000 × 16": (crossfit, letters, 10_000),
    "quality report, 20,000 × 16": (report, letters, 20_000),
    "LiRaM LVQ, 1,000,000 × 6": (liram, pixels, 1_000_000),
    "ClassiMap, 5,000 × 16": (classimap, letters, 5_000),
    "Fisher distances, 2,000 × 16": (fisher, letters, 2_000),
}


def run(name):
    """Print seconds, processor seconds and a digest of the result of one task."""
    warnings.simplefilter("ignore")
    work, data, n = WORKS[name]
    X, y = data(n)
    work(X[:FEW], y[:FEW])
    wall, cpu = perf_counter(), process_time()
    parts = work(X, y)
    wall, cpu = perf_counter() - wall, process_time() - cpu
    digest = hashlib.sha256(b"".join(np.ascontiguousarray(p).data for p in parts))
    print(json.dumps([wall, cpu, digest.hexdigest()[:12]]))


def share(name):
    """Print processor seconds of a task on one thread, and the part outside blocks."""
    warnings.simplefilter("ignore")
    work, data, n = WORKS[name]
    X, y = data(n)
    work(X[:FEW], y[:FEW])
    seconds, last = {True: 0.0, False: 0.0}, thread_time()

    def sampled(_, frame):
        nonlocal last
        is_block, now = False, thread_time()
        while frame is not None and not is_block:
            is_block = frame.f_code.co_name == "map_blocks"
            frame = frame.f_back
        seconds[is_block] += now - last
        last = now

    signal.signal(signal.SIGPROF, sampled)
    signal.setitimer(signal.ITIMER_PROF, 0.004, 0.004)
    work(X, y)
    signal.setitimer(signal.ITIMER_PROF, 0.0)
    print(json.dumps([sum(seconds.values()), seconds[False]]))


def timed(name, cores, how="--run"):
    """Return the output of `run` in a process that uses the first cores."""
    limit = lambda: os.sched_setaffinity(0, range(cores))  # noqa: E731
    command = [sys.executable, "-m", "benchmarks", "cores", how, name]
    limits = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    env = {key: value for key, value in os.environ.items() if key not in limits}
    done = subprocess.run(
        command, preexec_fn=limit, env=env, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cores", default="1,2,4,8,16")
    parser.add_argument("--only", default="")
    parser.add_argument("--run")
    parser.add_argument("--share")
    parser.add_argument("--shares", action="store_true")
    asked = parser.parse_args()
    if asked.run or asked.share:
        return run(asked.run) if asked.run else share(asked.share)
    works = [n for n in WORKS if any(part in n for part in asked.only.split(","))]
    if asked.shares:
        print("| work | processor seconds | serial | share |\n|---|---|---|---|")
        for name in works:
            total, serial = timed(name, 1, "--share")
            cells = f"{total:.2f} | {serial:.2f} | {serial / total:.0%}"
            print(f"| {name} | {cells} |", flush=True)
        return None
    usable = len(os.sched_getaffinity(0))
    counts = [k for k in map(int, asked.cores.split(",")) if k <= usable]
    print("| work | " + " | ".join(map(str, counts)) + " | times | serial | bits |")
    print("|---" * (len(counts) + 4) + "|")
    for name in works:
        walls, _, digests = zip(*(timed(name, k) for k in counts), strict=True)
        most, gain = counts[-1] / counts[0], walls[0] / walls[-1]
        serial = (most / gain - 1.0) / (most - 1.0) if most > 1 else 1.0
        cells = [f"{wall:.2f}" for wall in walls] + [f"{gain:.1f}", f"{serial:.0%}"]
        bits = "same" if len(set(digests)) == 1 else "differs"
        print(f"| {name} | " + " | ".join([*cells, bits]) + " |", flush=True)
    return None


if __name__ == "__main__":
    main()
