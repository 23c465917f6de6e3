"""The display of outliers, and of more classes than colors."""

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect
from sklearn.neighbors import KNeighborsClassifier
from tests.e2e.looking import Looking

from labelscape import explore


@pytest.fixture
def opened(visit, tmp_path):
    def opened(Z, y, **options):
        view = explore(Z, Z, y, quality=False, random_state=0, **options)
        page = visit(view.to_html(tmp_path / "page.html").as_uri())
        return Looking(page, view.scene)

    return opened


def clouds(n_classes):
    rng = np.random.default_rng(0)
    y = np.arange(15 * n_classes) % n_classes
    Z = 9 * rng.random((n_classes, 2))[y] + rng.normal(0, 0.3, (len(y), 2))
    return Z, np.array([f"kind {c}" for c in y])


def test_a_few_points_far_out_leave_the_canvas_to_the_others(opened):
    Z, y = clouds(20)
    Z[:5] += 500
    look = opened(Z, y)
    mark = look.root.locator(".ls-further")
    expect(mark).to_have_text("5 farther out")
    ink = (look.only_points() < 0.9).any(axis=2).mean()
    mark.click()
    expect(mark).to_have_text("Back to the middle")
    assert ink > 5 * (look.only_points() < 0.9).any(axis=2).mean()
    mark.click()
    expect(mark).to_have_text("5 farther out")


def test_twenty_classes_have_shapes_in_the_legend_and_in_a_saved_picture(
    opened, tmp_path
):
    Z, y = clouds(20)
    look = opened(Z, y, classifier=KNeighborsClassifier(5).fit(Z, y), regions=40)
    expect(look.root.locator(".ls-further")).to_be_hidden()
    expect(look.root.locator(".ls-class-row .ls-shaped")).to_have_count(8)
    with look.page.expect_download() as coming:
        look.page.get_by_role("button", name="Save as SVG").click()
    coming.value.save_as(tmp_path / "map.svg")
    saved = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert "<polygon" in saved
    assert "fill-rule" in saved
    assert "<image" not in saved


def test_a_map_of_three_dimensions_is_turned_and_saved_as_it_is_seen(opened, tmp_path):
    Z, y = clouds(5)
    look = opened(np.column_stack([Z, 4 * np.cos(Z[:, 0])]), y)
    expect(look.root.locator(".ls-axes line")).to_have_count(3)
    expect(look.root.get_by_role("button", name="Fisheye")).to_be_hidden()
    first = look.only_points()
    assert (first < 0.9).any(axis=2).mean() > 0.005
    look.drag([(20, 20), (120, 60)])
    look.page.wait_for_timeout(300)
    turned = look.only_points()
    assert np.abs(turned - first).max(axis=2).mean() > 0.005
    look.root.get_by_role("tab", name="Quality").click()
    np.testing.assert_array_equal(look.only_points(), turned)
    with look.page.expect_download() as coming:
        look.page.get_by_role("button", name="Save as PNG").click()
    coming.value.save_as(tmp_path / "map.png")
    saved = np.asarray(Image.open(tmp_path / "map.png").convert("RGB")) / 255.0
    assert (saved.min(axis=2) < 0.5).mean() > 0.005
    look.root.get_by_role("button", name="Show the whole map").click()
    look.page.wait_for_timeout(600)
    np.testing.assert_allclose(look.only_points(), first, atol=0.05)
