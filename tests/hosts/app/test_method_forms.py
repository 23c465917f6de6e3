"""The cards: each method of the library has one, in words."""

from labelscape.hosts.app.method_forms import choices, method_cards, parameters_of
from labelscape.jobs import methods_of


def test_every_map_of_the_command_line_has_a_card():
    names = {card.name for card in method_cards()}
    assert {method.name for method in methods_of()} < names == set(choices())


def test_titles_are_told_apart_and_words_are_sentences():
    cards = method_cards()
    assert len({card.title for card in cards}) == len(cards)
    for card in cards:
        assert card.words.endswith("."), card.name
        assert "`" not in card.words


def test_what_the_app_sets_itself_is_not_asked_for():
    asked = {p.name for card in method_cards() for p in card.parameters}
    assert not asked & {"random_state", "callback", "verbose", "n_components"}


def test_kinds_follow_documented_types_and_defaults():
    class Estimator:
        """Makes something.

        Parameters
        ----------
        steps : int, default=3
            How many.
        rate : float, default=1
            How ``fast``, see :class:`~sklearn.svm.SVC`.
        quick : bool, default=True
            Whether to hurry.
        how : {"well", "badly"}, default="well"
            Which way.
        first, last : float, default=0.5 and 0.1
            Width :math:`\\sigma` at the start and the end.
        weights : dict, default=None
            Not for a page.
        start : object, default=...
            Not plain.

        Notes
        -----
        None.
        """

        def __init__(
            self,
            steps=3,
            rate=1,
            quick=True,
            how="well",
            first=0.5,
            last=0.1,
            weights=None,
            start=(),
        ): ...

    found = {p["name"]: p for p in parameters_of(Estimator)}
    kinds = {name: p["kind"] for name, p in found.items()}
    assert kinds == {
        "steps": "whole",
        "rate": "number",
        "quick": "flag",
        "how": "choice",
        "first": "number",
        "last": "number",
    }
    assert found["last"]["words"] == "Width sigma at the start and the end."
    assert (found["first"]["default"], found["last"]["default"]) == (0.5, 0.1)
    assert found["rate"]["words"] == "How fast, see sklearn.svm.SVC."
    assert found["how"]["choices"] == ["well", "badly"]
