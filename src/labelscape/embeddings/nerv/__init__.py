"""Maps that keep soft neighbours: which are lost and which are false has a price."""
