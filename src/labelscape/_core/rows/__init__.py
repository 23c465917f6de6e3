"""Labeled samples of four kinds, behind one set of methods: see `rows.py`."""
