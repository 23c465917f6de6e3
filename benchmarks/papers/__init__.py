"""The tables and figures of the five papers beside ours: one script each.

``python -m benchmarks.papers`` runs those that have no result yet, ``FRESH=1`` all of
them, and arguments some: ``python -m benchmarks.papers p000 p001.fig5``. Results go to
``out/papers/results.jsonl``, from which ``scripts/papers_page.py`` writes the page of
the guide.
"""
