"""A run as code: what stands in it, whatever the names are."""

import ast

from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier

from labelscape.datasets import Reading
from labelscape.embeddings import LFDA
from labelscape.hosts.app.script import Reader, code, constructor, import_of


def script(title="trees", file="trees.csv", **settings):
    return code(
        title=title,
        version="1",
        imports=[
            "from sklearn.pipeline import make_pipeline",
            "from labelscape import x",
        ],
        reader=Reader("read_table", Reading(**{"label": "kind"} | settings).code(file)),
        fit="positions = []",
    )


def test_names_of_all_kinds_stay_names():
    odd = '""" + evil() + """\\\n\0\'{title}\u2028'
    tree = ast.parse(script(title=odd, file=odd, label=odd, drop=(odd,)))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {ast.unparse(call.func) for call in calls}
    assert called == {
        *("read_table", "range", "len", "open", "zip", "map", "print"),
        *("csv.writer", "rows.writerow"),
    }
    assert calls[0].args[0].value == odd
    assert calls[0].keywords[0].value.value == odd


def test_only_what_differs_from_the_defaults_is_written():
    assert constructor(PCA(n_components=2)) == "PCA(n_components=2)"
    forest = RandomForestClassifier(n_estimators=100, random_state=1)
    assert constructor(forest) == "RandomForestClassifier(random_state=1)"


def test_classes_are_imported_from_where_users_find_them():
    assert import_of(LFDA) == "from labelscape.embeddings import LFDA"
    assert import_of(PCA) == "from sklearn.decomposition import PCA"


def test_a_script_imports_what_reads_its_table():
    reader = Reader("load", "load('iris')")
    written = code(title="", version="1", imports=[], reader=reader, fit="")
    assert "from labelscape.datasets import load\n" in written
    assert "\ntable = load('iris')\n" in written
