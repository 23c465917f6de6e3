"""Which rows of a table a map is fitted to, and what stands around a fit."""
