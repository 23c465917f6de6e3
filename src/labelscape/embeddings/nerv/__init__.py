"""Maps that keep soft neighbors: lost and false neighbors have a cost."""
