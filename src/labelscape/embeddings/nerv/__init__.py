"""Maps that keep soft neighbors: which are lost and which are false has a price."""
