"""The parameters that a page asks for: what each takes."""

import pytest

from labelscape.hosts.app.method_forms import method_cards, rule_of


def test_every_default_is_accepted():
    for card in method_cards():
        for parameter in card.parameters:
            rule = rule_of(parameter.type, parameter.default)
            assert rule.holds(parameter.default), (card.name, parameter)


@pytest.mark.parametrize(
    ("type_", "default", "good", "bad"),
    [
        ("float", 0.5, [1, 0.1], ["abc", None, True]),
        ("int", 3, [5], [0.5, "5"]),
        ("{1, 2}", 1, [2], ["2"]),
        ("bool", False, [True], [1, "yes"]),
        ('{"a", "b"} or float', "a", ["b", 0.5], ["c", None]),
        ("{'a', 'b'}", "a", ["b"], [1]),
        ('float or "auto"', "auto", [2, "auto"], ["abc"]),
        ("int or None", None, [None, 2], ["", 0.5]),
        ("str or ndarray", "box", ["anything"], [3]),
    ],
)
def test_a_documented_type_tells_what_is_accepted(type_, default, good, bad):
    rule = rule_of(type_, default)
    assert all(rule.holds(value) for value in good)
    assert not any(rule.holds(value) for value in bad)
