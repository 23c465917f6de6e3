"""Maps that preserve distances, by minimizing a stress."""
