"""Columns of the table as people know them: of categories, and to look at."""
