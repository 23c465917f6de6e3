"""Labeled samples of four kinds with the same methods: see `rows.py`."""
