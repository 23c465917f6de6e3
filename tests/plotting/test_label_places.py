import numpy as np

from labelscape.plotting._marks import free_places

PAGE = (0.0, 0.0, 300.0, 200.0)


def overlapping_pairs(places, sizes):
    gaps = np.abs(places[:, None] - places[None, :])
    reach = (sizes[:, None] + sizes[None, :]) / 2
    inside = (gaps < reach - 1e-6).all(axis=2)
    return np.triu(inside, 1).sum()


def test_boxes_that_have_room_stay_where_they_want_to_be():
    wanted = np.array([[50.0, 50.0], [200.0, 150.0]])
    np.testing.assert_array_equal(
        free_places(wanted, np.full((2, 2), 20.0), PAGE), wanted
    )


def test_forty_boxes_in_one_place_end_up_apart():
    sizes = np.tile([30.0, 10.0], (40, 1))
    places = free_places(np.tile([150.0, 100.0], (40, 1)), sizes, PAGE)
    assert overlapping_pairs(places, sizes) == 0


def test_boxes_stay_on_the_page():
    rng = np.random.default_rng(0)
    sizes = np.tile([30.0, 10.0], (30, 1))
    places = free_places(rng.uniform(-50, 350, (30, 2)), sizes, PAGE)
    assert (places - sizes / 2 >= -1e-9).all()
    assert (places + sizes / 2 <= [300.0, 200.0]).all()


def test_boxes_keep_clear_of_obstacles():
    obstacle = np.array([[150.0, 100.0, 40.0, 40.0]])
    (place,) = free_places([[150.0, 100.0]], [[20.0, 10.0]], PAGE, obstacles=obstacle)
    assert (np.abs(place - [150.0, 100.0]) >= [30.0 - 1e-9, 25.0 - 1e-9]).any()


def test_a_box_without_room_stays_where_it_wants_to_be():
    full = np.array([[150.0, 100.0, 300.0, 200.0]])
    places = free_places([[60.0, 70.0]], [[20.0, 10.0]], PAGE, obstacles=full)
    np.testing.assert_array_equal(places, [[60.0, 70.0]])


def test_a_box_wider_than_the_page_does_not_break_the_search():
    places = free_places([[150.0, 100.0]], [[900.0, 10.0]], PAGE)
    assert np.isfinite(places).all()
