import numpy as np
import openTSNE
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE, SpectralEmbedding
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape.boundary import ClassifierMap
from labelscape.embeddings import LFDA, FisherKernelTSNE, KernelMap, KernelTSNE
from labelscape.prototypes import LiRaMLVQ

X, y = load_iris(return_X_y=True)
X, y = X[::2], y[::2]
CLASSIFIER = GaussianNB().fit(X, y)


def mapped(projection, X=X):
    model = ClassifierMap(CLASSIFIER, projection, resolution=15, random_state=0)
    return model.fit(X, y)


@pytest.mark.parametrize(
    "projection",
    [
        PCA(2),
        make_pipeline(StandardScaler(), PCA(2)),
        LFDA(n_components=2),
        LiRaMLVQ(n_components=2, random_state=0),
        KernelTSNE(perplexity=10, max_iter=20),
    ],
)
def test_a_map_that_places_new_objects_is_copied_and_fitted(projection):
    before = dict(vars(projection))
    model = mapped(projection)
    assert vars(projection).keys() == before.keys()
    assert type(model.projection_) is type(projection)
    np.testing.assert_allclose(model.transform(X), model.embedding_, atol=1e-9)


@pytest.mark.parametrize(
    "projection",
    [
        TSNE(perplexity=10, max_iter=250, method="exact"),
        openTSNE.TSNE(perplexity=10, n_iter=20, early_exaggeration_iter=20),
        SpectralEmbedding(n_neighbors=15),
    ],
)
def test_a_map_without_transform_learns_it(projection):
    model = mapped(projection)
    assert isinstance(model.projection_, KernelMap)
    assert model.transform(X[:5] + 0.01).shape == (5, 2)


def test_a_fitted_map_is_used_as_it_is():
    pca = PCA(2).fit(X[::3])
    model = mapped(pca)
    assert model.projection_ is pca
    assert (model.embedding_ == pca.transform(X)).all()


def test_a_fitted_map_without_transform_gives_its_places():
    tsne = TSNE(perplexity=10, max_iter=250, method="exact", random_state=0).fit(X)
    model = mapped(tsne)
    np.testing.assert_allclose(model.embedding_, tsne.embedding_)
    with pytest.raises(ValueError, match="positions must be given for all 10 samples"):
        ClassifierMap(CLASSIFIER, tsne).fit(X[:10])


@pytest.mark.parametrize("kind", [np.asarray, list, pd.DataFrame])
def test_places_can_be_given(kind):
    places = PCA(2).fit_transform(X)
    model = mapped(kind(places))
    np.testing.assert_allclose(model.embedding_, places)
    near = model.transform(X + 1e-6)
    np.testing.assert_allclose(near, places, atol=0.3)


def test_something_that_only_transforms_is_a_fitted_map():
    class First:
        def transform(self, X):
            return X[:, :2]

    assert (mapped(First()).embedding_ == X[:, :2]).all()


def test_a_map_that_was_fitted_to_a_frame_gets_one():
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = mapped(PCA(2).fit(frame), frame)  # a warning would be an error
    assert model.score(frame) > 0.8


def test_by_default_the_map_follows_the_classifier():
    model = mapped(None)
    assert isinstance(model.projection_, FisherKernelTSNE)
    metric = model.projection_.metric_
    assert metric.method == "endpoint"
    assert 0.05 <= metric.regularization <= 0.3
    p, q = CLASSIFIER.predict_proba(X[[0, -1]])
    angle = 2 * np.arccos(np.sqrt(p * q).sum())
    plain = metric.epsilon_ * np.sum((X[0] - X[-1]) ** 2)
    expected = np.sqrt(angle**2 + plain)
    assert metric.pairwise(X)[0, -1] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("projection", [PCA(3), X[:, :3], X[:, :1]])
def test_the_picture_is_flat(projection):
    with pytest.raises(ValueError, match=r"array of shape \(75, 2\)"):
        mapped(projection)


def test_a_map_with_holes_is_refused():
    places = X[:, :2].copy()
    places[3, 1] = np.nan
    with pytest.raises(ValueError, match="contains NaN: column 1"):
        mapped(places)
