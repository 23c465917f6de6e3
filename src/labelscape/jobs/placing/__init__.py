"""Maps that are kept, and new rows on them."""
