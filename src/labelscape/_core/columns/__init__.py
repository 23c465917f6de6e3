"""Columns of a table beyond the matrix: categories, and what is only looked at."""
