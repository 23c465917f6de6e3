import numpy as np
import pytest

from labelscape.jobs.methods import METHODS, method_named


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_method_maps_a_small_table(method):
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 8)
    X = rng.normal(size=(24, 4)) + 4 * np.eye(4)[:3].repeat(8, axis=0)
    Z = method.make(2, 24, 3, 0).fit_transform(X, y)
    assert Z.shape == (24, 2)


def test_fisher_has_one_direction_for_two_classes():
    assert method_named("lda").make(2, 24, 2, 0).n_components == 1


def test_the_seed_reaches_the_methods_that_have_one():
    assert method_named("local_liram").make(2, 24, 3, 7).random_state == 7
    assert not hasattr(method_named("lfda").make(2, 24, 3, 7), "random_state")


def test_t_sne_looks_at_fewer_neighbours_where_there_are_few():
    assert method_named("tsne").make(2, 60, 3, 0).perplexity == 9
    assert method_named("tsne").make(2, 600, 3, 0).perplexity == 30


def test_an_unknown_method_is_answered_with_all_names():
    with pytest.raises(ValueError, match=r"'lirm'. Did you mean 'liram'\? There are"):
        method_named("lirm")
