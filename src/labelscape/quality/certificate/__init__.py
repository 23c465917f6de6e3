"""The certificate of a map: whether its separation is real, and how much it keeps.

===============  ======================================================================
units            which rows may not stand on both sides of a split
splits           draws units to fit a map to, and shuffles labels between units
scores           every class counts the same: votes, hits, balanced accuracy
chance           how often labels that say nothing do as well, and intervals
leaks            what is too good to be true
table_leaks      the same for a table by itself
verdict          what follows, as a record that prints as a sentence
report           all of it
problem          what is judged, and the fits that it takes
judging          one fit, and what neighbours on the map make of the objects
measured         scores, chance and confusion over all fits
honesty          the function that asks for it all
===============  ======================================================================
"""
