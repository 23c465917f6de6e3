"""Exploratory maps: XOM and NE-XOM."""
