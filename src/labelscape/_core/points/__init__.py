"""Points with distances: one owner for all rooms."""
