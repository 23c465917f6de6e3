"""Threads, processes, Ctrl+C, leaks and memory."""

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from tests.faults.reported.registry import reported

SEED = 0


def groups(n=300, d=6, k=3, seed=SEED):
    rng, y = np.random.default_rng(seed), np.arange(n) % k
    return rng.normal(size=(n, d)) + 2 * rng.normal(size=(k, d))[y], y


def child(code, *args, threads=2, **options):
    """Start another interpreter, with this version of the library."""
    path = os.pathsep.join(filter(None, sys.path))
    settings = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    env = os.environ | dict.fromkeys(settings, str(threads)) | {"PYTHONPATH": path}
    command = [sys.executable, "-W", "ignore", "-c", code, *args]
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # A shell starts commands in the background such that they ignore Ctrl+C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(command, env=env, **pipe | options)
    finally:
        signal.signal(signal.SIGINT, before)


def printed(code, **options):
    answer, errors = child(code, **options).communicate(timeout=300)
    return answer.strip() or errors.strip()[-200:]


@reported("code ranks", "a switch to another thread at any line changes no number")
def _(folder):
    from labelscape.quality import trustworthiness

    (A, _), (B, _) = groups(60, seed=0), groups(60, seed=1)
    right = trustworthiness(A, A[:, :2])
    found = []
    for switch in range(60):
        lines = iter(range(60))

        def watch(frame, event, _, switch=switch, lines=lines):
            if not frame.f_code.co_filename.endswith("ranks.py"):
                return None
            if event == "line" and next(lines, None) == switch:
                other = threading.Thread(target=trustworthiness, args=(B, B[:, 2:4]))
                other.start()
                other.join()
            return watch

        trustworthiness(A, A[:, :2])
        sys.settrace(watch)
        found.append(trustworthiness(A, A[:, :2]))
        sys.settrace(None)
    wrong = {round(one, 3) for one in found if one != right}
    return not wrong, f"{right:.3f} at each of 60 lines, but at some {wrong or 'none'}"


@reported("threads warnings", "after tests in threads, warnings are shown as before")
def _(folder):
    from labelscape.embeddings import LFDA
    from labelscape.quality import certify, honesty

    X, y = groups(120)
    before = warnings.showwarning

    def work(i):
        honesty(LFDA(), X, y, random_state=i)
        certify(X, X[:, :2], y, random_state=i)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(16)))
    kept = warnings.showwarning is before
    return kept, "shown" if kept else "no warning of the process is shown any more"


BLAS = """
import numpy as np
from concurrent.futures import ThreadPoolExecutor
from threadpoolctl import threadpool_info
from labelscape.embeddings import LFDA
X, y = np.random.default_rng(0).normal(size=(400, 6)), np.arange(400) % 3
X[:, 0] += 3 * y
with ThreadPoolExecutor(8) as pool:
    for _ in range(10):
        list(pool.map(lambda i: LFDA().fit(X + i, y), range(8)))
    print(min(p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"))
"""


@reported("threads BLAS", "fits in threads leave BLAS its number of threads")
def _(folder):
    left = printed(BLAS)
    return left == "2", f"{left} of 2 threads after 80 fits"


KMEANS = """
import hashlib, numpy as np
from labelscape.geometry import FisherMetric
X, y = np.random.default_rng(0).normal(size=(4000, 8)), np.arange(4000) % 2
how = dict(parzen_points=60, parzen_selection="kmeans", random_state=0)
metric = FisherMetric(**how).fit(X, y)
print(hashlib.sha1(metric.parzen_points_[0].tobytes()).hexdigest())
"""


@reported("threads k-means", "a metric of centers has the same bits with any threads")
def _(folder):
    found = {printed(KMEANS, threads=count) for count in (1, 2, 4)}
    return len(found) == 1, f"{len(found)} results with 1, 2 and 4 threads"


FITS = """
import sys, time
import numpy as np
import labelscape
from labelscape import embeddings, quality
from labelscape.prototypes import GMLVQ
WORK = {
    "GMLVQ": (20000, lambda X, y: GMLVQ(9, max_iter=10**6, tol=0.0).fit(X, y)),
    "SGD": (20000, lambda X, y: GMLVQ(solver="sgd", max_iter=10**6).fit(X, y)),
    "CrossFittedTSNE": (4000, lambda X, y: embeddings.CrossFittedTSNE().fit(X, y)),
    "Sammon": (3000, lambda X, y: embeddings.Sammon(max_iter=10**5, tol=0.0).fit(X)),
    "FisherMDS": (3000, lambda X, y: embeddings.FisherMDS(max_iter=10**5).fit(X, y)),
    "honesty": (1500, lambda X, y: quality.honesty(embeddings.Sammon(), X, y)),
    "audit": (8000, lambda X, y: labelscape.audit(X, y)),
}
def data(n):
    rng, y = np.random.default_rng(0), np.arange(n) % 4
    return rng.normal(size=(n, 12)) + 2 * rng.normal(size=(4, 12))[y], y
n, work = WORK[sys.argv[1]]
X, y = data(n)
print("begun", flush=True)
try:
    while True:
        work(X, y)
except KeyboardInterrupt:
    print("back", flush=True)
model = GMLVQ(max_iter=5).fit(*data(200))
print("again", flush=True)
"""


def seconds_until_back(name, wait):
    """Return how long a fit takes to end after Ctrl+C; inf if it breaks the process."""
    with child(FITS, name) as process:
        process.stdout.readline()
        time.sleep(wait)
        begin = time.perf_counter()
        process.send_signal(signal.SIGINT)
        answer, taken = process.stdout.readline(), time.perf_counter() - begin
        process.communicate(timeout=300)
    return taken if answer == "back\n" and process.returncode == 0 else np.inf


@reported("Ctrl+C fit", "back within 2 s, and a second fit works", is_slow=True)
def _(folder):
    names = ("GMLVQ", "SGD", "CrossFittedTSNE", "Sammon", "FisherMDS", "honesty")
    tries = {(n, wait): 0.0 for n in (*names, "audit") for wait in (0.4, 4.0)}
    for name, wait in tries:
        tries[name, wait] = seconds_until_back(name, wait)
    late = [f"{n}, {wait} s: {t:.1f} s" for (n, wait), t in tries.items() if t > 2.0]
    longest = max(tries.values())
    return not late, f"{len(late)} of {len(tries)} late; {longest:.1f} s; {late[:4]}"


COMMAND = """
import sys
print("begun", flush=True)
try:
    from labelscape.cli import run
except ImportError:
    from labelscape.cli.main import main as run
run()
"""


@reported("Ctrl+C command", "exit code 130, no traceback, no half file", is_slow=True)
def _(folder):
    X, y = groups(600, 8)
    rows = [",".join([*map(str, x), f"k{c}"]) for x, c in zip(X, y, strict=True)]
    table = folder / "table.csv"
    table.write_text("\n".join(["a,b,c,d,e,f,g,h,class", *rows]))
    bad = []
    for verb in ("map", "compare"):
        for wait in (0.1, 0.5, 2.0, 5.0, 10.0, 20.0):
            out = folder / f"{verb}{wait}"
            out.mkdir()
            told = verb, str(table), "-l", "class", "-o", "page.html"
            with child(COMMAND, *told, cwd=out) as process:
                process.stdout.readline()
                time.sleep(wait)
                process.send_signal(signal.SIGINT)
                _, errors = process.communicate(timeout=300)
            files = [path.name for path in out.iterdir()]
            whole = files == ["page.html"] and "</html>" in (out / files[0]).read_text()
            ended = process.returncode in ((0, 130, -2) if whole else (130,))
            if "Traceback" in errors or not ended or (files and not whole):
                bad.append(f"{verb} {wait} s: code {process.returncode}, {files}")
    return not bad, f"{len(bad)} of 12: {'; '.join(bad[:3])}"


@reported("leaks", "200 fits grow by less than 2 MB, without threads or files", True)
def _(folder):
    from tests.faults.kinds import NAMES, X, Y, _by_name

    grown = {}
    for name in NAMES:
        for i in range(205):
            if i == 5:
                gc.collect()
                tracemalloc.start()
                _by_name(name).fit(X, Y)
                before = tracemalloc.get_traced_memory()[0]
                others = threading.active_count(), len(os.listdir("/proc/self/fd"))
            _by_name(name).fit(X, Y)
        gc.collect()
        grown[name] = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        if others != (threading.active_count(), len(os.listdir("/proc/self/fd"))):
            grown[name] = np.inf
    worst = max(grown, key=grown.get)
    return grown[worst] < 2e6, f"at most {grown[worst] / 1e3:.0f} kB ({worst})"


@reported("W1 FisherMDS", "50,000 samples: the needed memory in words, at once")
def _(folder):
    from labelscape.embeddings import FisherMDS

    most = 6 * 2**30
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    X, y = groups(50_000, 10, 5)
    begin = time.process_time()
    try:
        FisherMDS().fit(X, y)
    except (ValueError, MemoryError) as error:
        words = f"{type(error).__name__} after {time.process_time() - begin:.0f} s"
        return "GB of memory" in str(error), f"{words}: {error}"
    return False, "no error"


@reported("W1 NCA", "a fit of 12,000 rows grows by less than 100 MB", is_slow=True)
def _(folder):
    from labelscape.embeddings import NCA

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3

    NCA(max_iter=1).fit(*groups(100, 10, 5))
    before = peak()
    NCA(max_iter=1).fit(*groups(12_000, 10, 5))
    return peak() - before < 100, f"{peak() - before:.0f} MB"
