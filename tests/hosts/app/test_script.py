"""A run as code, with any names."""

import ast

from labelscape.datasets import Reading
from labelscape.hosts.app.results import script


def written(title="trees", file="trees.csv", **settings):
    reading = Reading(**{"label": "kind"} | settings)
    return script(
        title,
        f"table = {reading.code(file)}",
        "found = map_table(table, 'lda', seed=0)",
        file="places.csv",
        text="positions_csv(found.table, found.embedding)",
    )


def test_names_of_all_kinds_stay_names():
    odd = '""" + evil() + """\\\n\0\'{title}\u2028'
    tree = ast.parse(written(title=odd, file=odd, label=odd, drop=(odd,)))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {ast.unparse(call.func) for call in calls}
    assert called == {
        *("read_table", "map_table", "positions_csv", "open", "print", "file.write"),
    }
    assert calls[0].args[0].value == odd
    assert calls[0].keywords[0].value.value == odd


def test_a_script_imports_what_it_calls():
    code = written()
    assert "from labelscape.datasets import read_table\n" in code
    assert "from labelscape.jobs import map_table, positions_csv\n" in code
