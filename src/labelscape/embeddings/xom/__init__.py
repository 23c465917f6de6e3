"""Exploratory observation machines: XOM and NE-XOM."""
