import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from labelscape.prototypes.explain._counterfactual import (
    allowed_moves,
    smallest_change,
    smallest_change_local,
)


def classifier(prototypes, classes, Omega=None):
    """Nearest prototype by exact squared distances, ties to the lowest index."""
    Lambda = np.eye(prototypes.shape[1])
    if Omega is not None:
        Omega = np.diag(Omega) if Omega.ndim == 1 else Omega
        Lambda = Omega.T @ Omega

    def classify(Z):
        V = Z[:, None] - prototypes
        return classes[np.einsum("nlj,jk,nlk->nl", V, Lambda, V).argmin(axis=1)]

    return classify


def random_model(rng, with_matrix):
    n_features, n_prototypes = rng.integers(2, 6), rng.integers(4, 15)
    prototypes = rng.normal(size=(n_prototypes, n_features))
    classes = np.r_[0, 1, 2, rng.integers(0, 3, n_prototypes - 3)]
    rank = rng.integers(1, n_features + 1)
    Omega = rng.normal(size=(rank, n_features)) if with_matrix else None
    return prototypes, classes, Omega


def first_flips(x, directions, prototypes, classes, own, Omega=None, target=None):
    """Return where rays from x first reach the other classes, in closed form.

    Along a ray the difference of two distances is linear, so a foreign prototype is
    nearer than all own ones on an interval.
    """
    Omega = np.eye(len(x)) if Omega is None else Omega
    E = (prototypes - x) @ Omega.T
    at_x, slope = (E**2).sum(axis=1), -2 * directions @ Omega.T @ E.T
    wins = classes != own if target is None else classes == target
    start = at_x[wins][:, None] - at_x[~wins]
    slope = slope[:, wins][:, :, None] - slope[:, ~wins][:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        meet = -start / slope
    begin = np.where(slope < 0, meet, -np.inf).max(axis=2).clip(min=0)
    end = np.where(slope > 0, meet, np.inf).min(axis=2)
    never = ((slope == 0) & (start > 0)).any(axis=2)
    return np.where((begin <= end) & ~never, begin, np.inf).min(axis=1)


def unit_rows(rng, n, n_features):
    V = rng.normal(size=(n, n_features))
    return V / np.linalg.norm(V, axis=1, keepdims=True)


def change_of(x, prototypes, classes, Omega=None, **options):
    x, prototypes = np.asarray(x, float), np.asarray(prototypes, float)
    classify = classifier(prototypes, np.asarray(classes), Omega)
    own = int(classify(x[None])[0])
    return smallest_change(
        x, prototypes, classes, own=own, classify=classify, Omega=Omega, **options
    )


@pytest.mark.parametrize("with_matrix", [False, True])
def test_the_decision_flips_and_no_direction_finds_a_shorter_change(with_matrix):
    rng = np.random.default_rng(7)
    plane_too_near = 0
    for _ in range(100):
        prototypes, classes, Omega = random_model(rng, with_matrix)
        x = rng.normal(size=prototypes.shape[1])
        classify = classifier(prototypes, classes, Omega)
        own = classify(x[None])[0]

        change = smallest_change(
            x, prototypes, classes, own=own, classify=classify, Omega=Omega
        )

        assert change.exact
        assert classify(change.point[None])[0] != own
        assert np.linalg.norm(change.point - x) == pytest.approx(change.distance)
        directions = unit_rows(rng, 10_000, len(x))
        reached = first_flips(x, directions, prototypes, classes, own, Omega)
        assert reached.min() >= change.distance * (1 - 1e-8)

        V = prototypes if Omega is None else prototypes @ Omega.T
        z = x if Omega is None else Omega @ x
        winner = ((V - z) ** 2).sum(axis=1).argmin()
        plane = np.inf
        for foreign in np.flatnonzero(classes != own):
            a = 2 * (V[winner] - V[foreign])
            slack = a @ z - (V[winner] ** 2).sum() + (V[foreign] ** 2).sum()
            a = a if Omega is None else Omega.T @ a
            plane = min(plane, slack / np.linalg.norm(a))
        plane_too_near += plane < change.distance * (1 - 1e-6)
    # Not vacuous: often the nearest plane leads into another cell of the own class.
    assert plane_too_near >= 5


def test_the_change_to_a_target_class_is_the_smallest_one():
    rng = np.random.default_rng(3)
    for _ in range(40):
        prototypes, classes, Omega = random_model(rng, with_matrix=False)
        x = rng.normal(size=prototypes.shape[1])
        classify = classifier(prototypes, classes)
        own = classify(x[None])[0]
        lengths = []
        for target in {0, 1, 2} - {own}:
            change = change_of(x, prototypes, classes, target=target)
            assert classify(change.point[None])[0] == target
            directions = unit_rows(rng, 3000, len(x))
            reached = first_flips(
                x, directions, prototypes, classes, own, Omega, target
            )
            assert reached.min() >= change.distance * (1 - 1e-8)
            lengths.append(change.distance)
        assert min(lengths) == pytest.approx(
            change_of(x, prototypes, classes).distance, rel=1e-7
        )


def test_one_prototype_per_class_gives_the_foot_point_of_the_nearest_plane():
    prototypes = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 10.0]])
    change = change_of([1.0, 1.0], prototypes, [0, 1, 2])
    np.testing.assert_allclose(change.point, [3.0, 1.0], atol=1e-8)


def test_the_step_over_the_border_is_a_relative_1e_9():
    change = change_of([1.0, 0.0], [[0.0, 0.0], [4.0, 0.0]], [0, 1])
    assert 0 < change.distance - 1.0 < 2e-9


def test_an_own_prototype_behind_the_nearest_plane_makes_the_way_longer():
    # The plane between prototypes 0 and 2 is 1 away, but prototype 1 waits behind it.
    prototypes = [[0.0, 0.0], [2.0, 1.0], [2.0, 0.0]]
    change = change_of([0.0, 3.0], prototypes, [0, 0, 1])
    np.testing.assert_allclose(change.point, [1.0, 0.5], atol=1e-7)


@pytest.mark.parametrize("Omega", [np.array([2.0, 1.0]), np.diag([2.0, 1.0])])
def test_a_diagonal_metric_may_be_given_by_its_diagonal(Omega):
    change = change_of([0.0, 0.0], [[-1.0, 0.0], [2.0, 3.0]], [0, 1], Omega=Omega)
    # 4 (z1 - 2)^2 + (z2 - 3)^2 = 4 (z1 + 1)^2 + z2^2, i.e. 24 z1 + 6 z2 = 21
    np.testing.assert_allclose(change.point, np.array([24, 6]) * 21 / 612, atol=1e-8)


def test_fixed_features_never_change():
    rng = np.random.default_rng(5)
    for k in range(30):
        prototypes, classes, Omega = random_model(rng, with_matrix=k % 2 == 0)
        x = rng.normal(size=prototypes.shape[1])
        free = change_of(x, prototypes, classes, Omega)
        change = change_of(x, prototypes, classes, Omega, fixed=[0])
        mask = np.arange(len(x)) == 0
        again = change_of(x, prototypes, classes, Omega, fixed=mask)
        if change is None:
            continue
        assert change.point[0] == x[0]
        assert change.distance >= free.distance * (1 - 1e-8)
        np.testing.assert_array_equal(change.point, again.point)
        directions = unit_rows(rng, 2000, len(x) - 1)
        directions = np.column_stack([np.zeros(2000), directions])
        own = classifier(prototypes, classes, Omega)(x[None])[0]
        reached = first_flips(x, directions, prototypes, classes, own, Omega)
        assert reached.min() >= change.distance * (1 - 1e-8)


def test_limits_are_kept_and_the_change_within_them_is_the_smallest():
    rng = np.random.default_rng(11)
    found = 0
    for _ in range(60):
        prototypes, classes, _ = random_model(rng, with_matrix=False)
        x = rng.normal(size=prototypes.shape[1])
        lower, upper = x - 0.3 * rng.random(len(x)), x + 0.8
        change = change_of(x, prototypes, classes, lower=lower, upper=upper)
        own = classifier(prototypes, classes)(x[None])[0]
        lengths = [
            slow_distance(x, prototypes, classes == own, foreign, lower, upper)
            for foreign in np.flatnonzero(classes != own)
        ]
        if change is None:
            assert min(lengths) == np.inf
            continue
        found += 1
        assert (change.point >= lower).all()
        assert (change.point <= upper).all()
        assert change.exact
        assert change.distance == pytest.approx(min(lengths), rel=1e-5)
    assert 20 < found < 60


def slow_distance(x, prototypes, own, foreign, lower, upper):
    """Distance to a foreign cell within limits: a linear, then a quadratic program."""
    A = 2 * (prototypes[own] - prototypes[foreign])
    b = (prototypes[own] ** 2).sum(axis=1) - (prototypes[foreign] ** 2).sum()
    box = list(zip(lower, upper, strict=True))
    inside = linprog(np.zeros(len(x)), A_ub=A, b_ub=b, bounds=box)
    if not inside.success:
        return np.inf
    inside.x = np.clip(inside.x, lower, upper)
    return np.sqrt(
        minimize(
            lambda z: (((z - x) ** 2).sum(), 2 * (z - x)),
            inside.x,
            jac=True,
            method="SLSQP",
            bounds=box,
            constraints={"type": "ineq", "fun": lambda z: b - A @ z},
            options={"ftol": 1e-14, "maxiter": 500},
        ).fun
    )


def test_a_scale_measures_each_feature_in_its_own_unit():
    prototypes, scale = np.array([[0.0, 0.0], [2.0, 2.0]]), np.array([1.0, 3.0])
    change = change_of([0.0, 0.0], prototypes, [0, 1], scale=scale)
    # z1 + z2 = 2 with the least z1^2 + z2^2/9
    np.testing.assert_allclose(change.point, [0.2, 1.8], atol=1e-8)
    assert change.distance == pytest.approx(np.hypot(0.2, 0.6))


def test_an_object_outside_the_limits_is_brought_inside():
    change = change_of([0.0, 5.0], [[0.0, 0.0], [4.0, 0.0]], [0, 1], upper=3.0)
    np.testing.assert_allclose(change.point, [2.0, 3.0], atol=1e-8)


@pytest.mark.parametrize(
    "options",
    [
        {"fixed": [0]},
        {"fixed": np.array([True, True])},
        {"upper": 1.9},
        {"lower": [-1.0, 1.0], "fixed": [1]},
        {"target": 2},
    ],
    ids=["telling feature", "all features", "limit", "fixed beyond limit", "no class"],
)
def test_there_is_no_change_where_nothing_allowed_flips_the_decision(options):
    assert change_of([0.0, 0.0], [[0.0, 0.0], [4.0, 0.0]], [0, 1], **options) is None


def test_a_limit_on_the_border_flips_only_if_the_tie_does():
    x, prototypes = [0.0, 0.0], [[0.0, 0.0], [4.0, 0.0]]
    assert change_of(x, prototypes, [0, 1], upper=2.0) is None
    change = change_of(x, prototypes[::-1], [1, 0], upper=2.0)
    assert change.point.tolist() == [2.0, 0.0]


def test_limits_on_one_border_still_leave_a_step_over_another():
    # At (2, -1) all three tie and the first wins; a little above it, on the limit, the
    # second ties with the third and wins.
    prototypes, classes = [[4.0, -2.0], [4.0, 0.0], [0.0, 0.0]], [2, 1, 0]
    change = change_of([0.0, -3.0], prototypes, classes, target=1, upper=[2.0, 9.0])
    np.testing.assert_allclose(change.point, [2.0, -1.0], atol=1e-8)


def test_a_feature_without_relevance_helps_nobody():
    Omega = np.array([[1.0, 0.0]])
    prototypes = [[0.0, 0.0], [4.0, 3.0]]
    assert change_of([1.0, 0.0], prototypes, [0, 1], Omega=Omega, fixed=[0]) is None
    change = change_of([1.0, 0.0], prototypes, [0, 1], Omega=Omega)
    np.testing.assert_allclose(change.point, [2.0, 0.0], atol=1e-8)


def test_a_foreign_copy_of_an_own_prototype_wins_nothing():
    x, apart = [0.0, 0.0], [5.0, 0.0]
    # The copy loses every tie, so the way leads to the prototype far away.
    point = change_of(x, [[0.0, 1.0], [0.0, 1.0], apart], [0, 1, 1]).point
    assert np.linalg.norm(point - apart) < np.linalg.norm(point - [0.0, 1.0])
    assert change_of(x, [[0.0, 1.0], [0.0, 1.0]], [0, 1]) is None


def test_copies_of_prototypes_in_their_own_class_change_nothing():
    rng = np.random.default_rng(2)
    prototypes, classes, _ = random_model(rng, with_matrix=False)
    x = rng.normal(size=prototypes.shape[1])
    once = change_of(x, prototypes, classes)
    twice = change_of(x, np.repeat(prototypes, 3, axis=0), np.repeat(classes, 3))
    np.testing.assert_allclose(once.point, twice.point, atol=1e-8)


def test_an_object_on_the_border_needs_next_to_no_change():
    change = change_of([2.0, 1.0], [[0.0, 0.0], [4.0, 0.0]], [0, 1])
    assert 0 < change.distance < 1e-12


def test_an_object_on_its_prototype_goes_half_way():
    change = change_of([0.0, 0.0], [[0.0, 0.0], [3.0, 4.0]], [0, 1])
    assert change.distance == pytest.approx(2.5)


def test_ties_and_copies_on_a_grid_are_survived():
    rng = np.random.default_rng(13)
    none = 0
    for _ in range(150):
        prototypes = rng.integers(0, 3, size=(rng.integers(3, 12), 2)).astype(float)
        classes = rng.integers(0, 3, len(prototypes))
        x = rng.integers(0, 5, size=2) / 2
        classify = classifier(prototypes, classes)
        own = classify(x[None])[0]
        change = change_of(x, prototypes, classes)
        grid = np.stack(np.meshgrid(*[np.linspace(-9, 11, 81)] * 2), -1).reshape(-1, 2)
        others = grid[classify(grid) != own]
        if change is None:
            assert len(others) == 0
            none += 1
        elif len(others):
            assert classify(change.point[None])[0] != own
            nearest = np.linalg.norm(others - x, axis=1).min()
            assert change.distance <= nearest + 1e-8
    assert none


def test_data_far_from_the_origin_only_need_a_longer_step():
    rng = np.random.default_rng(4)
    prototypes, classes = rng.normal(size=(8, 3)) + 1e6, np.arange(8) % 2
    x = rng.normal(size=3) + 1e6
    change = change_of(x, prototypes, classes)
    near = change_of(x - 1e6, prototypes - 1e6, classes)
    assert change.distance == pytest.approx(near.distance, rel=1e-6)


def test_a_coarse_classifier_gets_a_step_that_it_notices():
    prototypes, classes = np.array([[0.0, 0.0], [4.0, 0.0]]), np.array([0, 1])

    def classify(Z):
        return (Z[:, 0] > 2.001).astype(int)

    change = smallest_change(
        np.array([1.0, 0.0]), prototypes, classes, own=0, classify=classify
    )
    assert 1.001 < change.distance < 1.02


@pytest.mark.parametrize("options", [{}, {"lower": 0.0}, {"target": 2}])
def test_five_thousand_features_are_no_obstacle(options):
    rng = np.random.default_rng(1)
    prototypes = np.maximum(rng.normal(size=(30, 5000)), 0.0)
    x = np.maximum(rng.normal(size=5000), 0.0)
    classes = np.arange(30) % 3

    def classify(Z):
        distances = [((prototypes - z) ** 2).sum(axis=1) for z in Z]
        return classes[np.argmin(distances, axis=1)]

    own = classify(x[None])[0]
    options = {"target": (own + 1) % 3} if "target" in options else options
    change = smallest_change(
        x, prototypes, classes, own=own, classify=classify, **options
    )
    assert classify(change.point[None])[0] != own
    assert change.exact
    assert "lower" not in options or change.point.min() == 0.0


def local_model(rng):
    n_features, n_prototypes = rng.integers(2, 5), rng.integers(4, 10)
    prototypes = rng.normal(size=(n_prototypes, n_features))
    classes = np.r_[0, 1, 2, rng.integers(0, 3, n_prototypes - 3)]
    Omegas = rng.normal(size=(n_prototypes, n_features, n_features))
    Omegas /= np.linalg.norm(Omegas, axis=(1, 2), keepdims=True)

    def distances(Z):
        F = np.einsum("lmj,nlj->nlm", Omegas, Z[:, None] - prototypes)
        return (F**2).sum(axis=2)

    def slopes(z):
        F = np.einsum("lmj,lj->lm", Omegas, z - prototypes)
        return (F**2).sum(axis=1), 2 * np.einsum("lmj,lm->lj", Omegas, F)

    return prototypes, classes, slopes, lambda Z: classes[distances(Z).argmin(axis=1)]


@pytest.mark.slow
def test_local_metrics_flip_and_rarely_leave_a_shorter_change():
    rng = np.random.default_rng(6)
    shorter = 0
    for _ in range(40):
        prototypes, classes, slopes, classify = local_model(rng)
        x = rng.normal(size=prototypes.shape[1])
        own = classify(x[None])[0]
        change = smallest_change_local(
            x, prototypes, classes, slopes, own=own, classify=classify
        )
        assert not change.exact
        assert classify(change.point[None])[0] != own
        shell = unit_rows(rng, 1000, len(x))
        radii = change.distance * np.linspace(0.02, 0.98, 25)
        shorter += any((classify(x + r * shell) != own).any() for r in radii)
    assert shorter <= 2


def test_local_search_finds_the_exact_answer_of_a_global_metric():
    rng = np.random.default_rng(8)
    for _ in range(30):
        prototypes, classes, Omega = random_model(rng, with_matrix=True)
        x = rng.normal(size=prototypes.shape[1])
        classify = classifier(prototypes, classes, Omega)
        own = classify(x[None])[0]
        Lambda = Omega.T @ Omega

        def slopes(z, prototypes=prototypes, Lambda=Lambda):
            V = z - prototypes
            return np.einsum("lj,jk,lk->l", V, Lambda, V), 2 * V @ Lambda

        exact = change_of(x, prototypes, classes, Omega)
        found = smallest_change_local(
            x, prototypes, classes, slopes, own=own, classify=classify
        )
        assert found.distance == pytest.approx(exact.distance, rel=1e-6)


def test_local_metrics_keep_fixed_features_limits_and_target():
    rng = np.random.default_rng(9)
    found = 0
    for _ in range(30):
        prototypes, classes, slopes, classify = local_model(rng)
        x = rng.normal(size=prototypes.shape[1])
        own = classify(x[None])[0]
        target = (own + 1) % 3
        upper = np.maximum(x, 0.5)
        change = smallest_change_local(
            x,
            prototypes,
            classes,
            slopes,
            own=own,
            classify=classify,
            target=target,
            fixed=[0],
            upper=upper,
        )
        if change is not None:
            found += 1
            assert change.point[0] == x[0]
            assert (change.point <= upper).all()
            assert classify(change.point[None])[0] == target
    assert found >= 10


def test_limits_that_flip_the_decision_by_themselves_are_the_local_answer():
    prototypes = np.array([[0.0, 0.0], [4.0, 0.0]])

    def slopes(z):
        return ((z - prototypes) ** 2).sum(axis=1), 2 * (z - prototypes)

    change = smallest_change_local(
        np.zeros(2),
        prototypes,
        np.array([0, 1]),
        slopes,
        own=0,
        classify=classifier(prototypes, np.array([0, 1])),
        lower=[3.0, -1.0],
    )
    np.testing.assert_allclose(change.point, [3.0, 0.0])


def test_local_search_gives_none_where_nothing_may_change():
    rng = np.random.default_rng(10)
    prototypes, classes, slopes, classify = local_model(rng)
    x = rng.normal(size=prototypes.shape[1])
    everything = np.ones(len(x), dtype=bool)
    own = classify(x[None])[0]
    options = {"own": own, "classify": classify, "fixed": everything}
    assert smallest_change_local(x, prototypes, classes, slopes, **options) is None


def test_limits_units_and_target_are_checked():
    with pytest.raises(ValueError, match=r"lower limit .* got 2.0 and 1.0 .* 0"):
        allowed_moves(np.zeros(2), lower=[2.0, 0.0], upper=1.0)
    with pytest.raises(ValueError, match=r"above .* got 0.0 for feature 1"):
        allowed_moves(np.zeros(2), scale=[1.0, 0.0])
    with pytest.raises(ValueError, match="already in the target class 0"):
        change_of([0.0], [[0.0], [1.0]], [0, 1], target=0)
