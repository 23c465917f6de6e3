"""Files of each format into columns."""
