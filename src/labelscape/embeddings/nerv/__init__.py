"""Maps that preserve soft neighbors, with costs of lost and false neighbors."""
