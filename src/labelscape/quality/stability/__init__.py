"""The islands of a map, and which of them are there for other objects, too.

===============  ======================================================================
density          groups of points with empty space around them
matching         how far groups agree on objects: Jaccard with the best match
report           the islands as records that print as sentences
islands          the function that fits the map to halves, and asks for it all
===============  ======================================================================
"""
