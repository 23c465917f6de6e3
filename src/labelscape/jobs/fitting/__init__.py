"""Which rows of a table a map is fitted to."""
