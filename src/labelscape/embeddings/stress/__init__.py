"""Maps that keep distances: the family of stresses."""
