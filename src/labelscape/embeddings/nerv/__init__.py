"""Maps that preserve soft (weighted) neighbors and penalize lost and false ones."""
