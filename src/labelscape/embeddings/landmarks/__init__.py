"""Maps of many objects that are fitted to some of them."""
