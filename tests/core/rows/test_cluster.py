"""A local cluster of two processes, one of which is killed."""

import os
import signal

import numpy as np
import pytest
from tests.prototypes.lvq.cases import blobs

from labelscape.datasets import Reading
from labelscape.datasets.files.pieces import Pieces
from labelscape.prototypes import LiRaMLVQ

dask = pytest.importorskip("dask", reason="labelscape[dask] is not installed")
da = pytest.importorskip("dask.array", reason="labelscape[dask] is not installed")
distributed = pytest.importorskip(
    "distributed", reason="labelscape[dask] is not installed"
)
X, Y = blobs(400)


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit="1GB",
            dashboard_address=None,
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def table():
    return da.from_array(X, chunks=(100, 5)), da.from_array(Y, chunks=100)


def fitted(*given, **options):
    model = LiRaMLVQ(2, max_iter=4, random_state=0, **options).fit(*given)
    return b"".join(part.tobytes() for part in (model.prototypes_, model.omega_))


@pytest.mark.slow
def test_a_worker_that_dies_is_survived_with_the_same_bits(client):
    killed = []

    def kill_one(news):
        if news["iteration"] == 2:
            pids = client.run(os.getpid)
            killed.append(min(pids.values()))
            os.kill(killed[0], signal.SIGKILL)

    found = fitted(*table(), callback=kill_one)
    assert killed
    # By the function, because older versions warn of the name while a client is there.
    with dask.config.set(scheduler=dask.threaded.get):
        assert found == fitted(*table())


@pytest.mark.slow
def test_answers_of_a_cluster_are_those_of_this_process(client):
    model = LiRaMLVQ(max_iter=2, random_state=0).fit(X, Y)
    lazy = model.transform(da.from_array(X, chunks=(100, 5)))
    np.testing.assert_allclose(lazy.compute(), model.transform(X))


@pytest.mark.slow
def test_workers_draw_the_sample_that_one_process_draws(client, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    pa = pytest.importorskip("pyarrow")
    for i in range(3):
        part = pa.table({"size": X[100 * i : 100 * i + 100, 0], "kind": Y[:100]})
        pq.write_table(part, tmp_path / f"{i}.parquet")
    here, there = (
        Pieces(str(tmp_path), Reading(label="kind")).sample(
            "t", most=90, cluster=cluster
        )
        for cluster in (None, client.scheduler.address)
    )
    assert here[1] == there[1] == 300
    np.testing.assert_array_equal(here[0].X, there[0].X)
