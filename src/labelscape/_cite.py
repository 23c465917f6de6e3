"""Citations for a model: the papers of its method, and this software."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

# Entries of references.bib for each class; subclasses add their own.
PAPERS = {
    "GLVQ": "sato1995",
    "GRLVQ": "hammer2002",
    "GMLVQ": "schneider2009",
    "LGMLVQ": "schneider2009",
    "LiRaMLVQ": "bunte2012",
    "LocalLiRaMLVQ": "bunte2012",
    "PushAndGrow": "kriegel_schubert",
    "LVQAndGrow": "kriegel_schubert",
    "ICF": "brighton2002",
    "LFDA": "sugiyama2007",
    "NCA": "goldberger2005",
    "PLSDA": "wold2001",
    "OPLSDA": "trygg2002",
    "Sammon": "sammon1969",
    "CCA": "demartines1997",
    "DDHDS": "lespinats2007",
    "ClassiMap": "lespinats_classimap",
    "ClassNeRV": "colange2020",
    "SNE": "hinton2002",
    "XOM": "wismuller2009",
    "NEXOM": "bunte2010",
    "WeightedMDS": "kriegel_schubert",
    "FisherMetric": "hammer2013",
    "FisherMDS": "hammer2013",
    "FisherTSNE": "hammer2013 policar2024",
    "FisherKernelTSNE": "hammer2013 policar2024",
    "CrossFittedTSNE": "hammer2013 policar2024",
    "KernelTSNE": "hammer2013 policar2024",
    "KernelMap": "hammer2013",
    "ClassifierMap": "hammer2013",
}


def cite(model: Any = None) -> str:
    """Return BibTeX entries for a model: its method's papers, then Labelscape.

    Parameters
    ----------
    model : estimator or estimator class, default=None
        A fitted or unfitted model of this library, or a pipeline with such models.
        None: only Labelscape.

    Returns
    -------
    str
        BibTeX entries, separated by empty lines. Models of other libraries have no
        entries; their documentation says how to cite them.

    Examples
    --------
    >>> import labelscape
    >>> from labelscape.prototypes import LiRaMLVQ
    >>> entries = labelscape.cite(LiRaMLVQ())
    >>> [line for line in entries.splitlines() if line.startswith("@")]
    ['@article{bunte2012,', '@software{labelscape,']
    """
    keys = [key for name in _names(model) for key in PAPERS.get(name, "").split()]
    known = _entries()
    return "\n\n".join(known[key] for key in [*dict.fromkeys(keys), "labelscape"])


def _names(model: Any) -> Iterator[str]:
    """Yield the class names of a model and of all models inside it."""
    if isinstance(model, type):
        yield model.__name__
    elif model is not None:
        yield type(model).__name__
        parts = model.get_params(deep=False) if hasattr(model, "get_params") else {}
        for part in parts.values():
            for one in part if isinstance(part, list | tuple) else [part]:
                one = one[1] if isinstance(one, tuple) and len(one) == 2 else one
                if hasattr(one, "get_params") and hasattr(one, "fit"):
                    yield from _names(one)


def _entries() -> dict[str, str]:
    """Return the entries of references.bib, as a dict from key to text."""
    from labelscape import __version__

    text = files("labelscape").joinpath("references.bib").read_text(encoding="utf-8")
    entries = [entry.strip() for entry in text.split("\n\n") if entry.strip()]
    keyed = {entry[entry.index("{") + 1 : entry.index(",")]: entry for entry in entries}
    keyed["labelscape"] = keyed["labelscape"].replace("VERSION", __version__)
    return keyed
