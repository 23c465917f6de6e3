"""LVQ training and prediction: time, memory, scaling, and lower bounds.

The floor of a kernel is a lower bound: the time of its operations at the measured speed
of matrix products (one core), or of its bytes at the measured speed of reading memory,
whichever is longer.
"""

import threading
import time
import warnings

import numpy as np

from labelscape._core.threads import one_blas_thread
from labelscape.datasets import make_satellite
from labelscape.prototypes import LiRaMLVQ


def clock(function):
    """Return wall and processor seconds of a call."""
    wall, cpu = time.perf_counter(), time.process_time()
    function()
    return time.perf_counter() - wall, time.process_time() - cpu


def machine():
    """Return flops per second of a matrix product and bytes per second of reading."""
    rng = np.random.default_rng(0)
    A, B = rng.random((1500, 1500)), rng.random(30_000_000)
    with one_blas_thread():
        product = min(clock(lambda: A @ A)[0] for _ in range(3))
    read = min(clock(B.sum)[0] for _ in range(3))
    return 2 * 1500**3 / product, B.nbytes / read


def online(flops):
    """Time the Colorado data of the paper: 28,000 × 6, 42 prototypes, 1500 epochs."""
    X, y = make_satellite(28_000, random_state=0)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    settings = {"n_components": 3, "solver": "sgd", "random_state": 0}
    LiRaMLVQ(3, max_iter=1, **settings).fit(X, y)
    epochs = 1500
    wall, cpu = clock(lambda: LiRaMLVQ(3, max_iter=epochs, **settings).fit(X, y))
    n_prototypes, M, N = 42, 3, 6
    # Projection, distances, two moved prototypes, and updates of Omega and P.
    update = 2 * M * N + 3 * n_prototypes * M + 12 * M * N
    update += 4 * n_prototypes * N + 5 * n_prototypes * M
    floor = update * epochs * len(X) / flops
    rate = epochs * len(X) / cpu / 1e6
    print("Online training, 28,000 × 6, 42 prototypes, M = 3, 1500 epochs")
    print(f"  {wall:.1f} s wall, {cpu:.1f} s processor, {rate:.2f} M updates/s")
    print(
        f"  {update} flops an update: floor {floor:.1f} s, {cpu / floor:.1f}x from it"
    )
    print("  (loops of length 3 to 42 do not fill vector units as a product does)")


def prediction():
    """Time 3.4 million rows, the number of pixels in the image of the paper."""
    X, y = make_satellite(3_400_000, random_state=1)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = LiRaMLVQ(3, n_components=3, random_state=0).fit(X[:28_000], y[:28_000])
    print("3.4 million rows, 42 prototypes")
    for name, call in (("predict", model.predict), ("transform", model.transform)):
        extra, (wall, _) = extra_memory(lambda call=call: clock(lambda: call(X)))
        print(
            f"  {name:10}{wall:6.2f} s, {extra:5.0f} MB beside the data and the result"
        )


def scaling():
    """Print seconds for 1,000 to 1,000,000 samples, and the exponent."""
    X, y = make_satellite(1_000_000, random_state=0)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    LiRaMLVQ(max_iter=1).fit(X[:1000], y[:1000])
    sizes = [1000, 10_000, 100_000, 1_000_000]
    seconds = []
    for n in sizes:
        # The number of iterations is fixed, to compare times only.
        model = LiRaMLVQ(random_state=0, max_iter=30, tol=0.0)
        seconds.append(clock(lambda m=model, n=n: m.fit(X[:n], y[:n]))[0])
    exponent = np.polyfit(np.log(sizes[1:]), np.log(seconds[1:]), 1)[0]
    print("Training time, 30 iterations, M = 2")
    for n, s in zip(sizes, seconds, strict=True):
        print(f"  {n:>9,} objects {s:8.3f} s")
    print(f"  exponent from 10,000 on: {exponent:.2f}")


def memory(flops, bandwidth):
    """Print time and additional memory of a fit of rank 2 to 60,000 × 784."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, 60_000)
    X = rng.standard_normal((60_000, 784))
    X += rng.standard_normal((10, 784))[y] * 0.3
    model = LiRaMLVQ(random_state=0, max_iter=50, tol=0.0)
    extra, (wall, _) = extra_memory(lambda: clock(lambda: model.fit(X, y)))
    reading = 50 * X.nbytes / bandwidth
    computing = 50 * 4 * 2 * X.size / flops
    print("60,000 × 784, M = 2, 50 iterations")
    print(f"  {wall:.1f} s, {extra:.0f} MB beside {X.nbytes / 2**20:.0f} MB of data")
    print(
        f"  floor: reading X once an iteration {reading:.1f} s, flops {computing:.1f} s"
    )


def extra_memory(function):
    """Return the increase of memory during a call in MB, and the result."""

    def resident():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096 / 2**20

    before, peak, done = resident(), [0.0], threading.Event()

    def watch():
        while not done.wait(0.002):
            peak[0] = max(peak[0], resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        result = function()
    finally:
        done.set()
        watcher.join()
    return max(0.0, peak[0] - before), result


def main():
    warnings.simplefilter("ignore")
    flops, bandwidth = machine()
    print(
        f"Machine: {flops / 1e9:.0f} GFlop/s and {bandwidth / 1e9:.0f} GB/s on one core"
    )
    online(flops)
    prediction()
    scaling()
    memory(flops, bandwidth)


if __name__ == "__main__":
    main()
