"""Resampling: units, splits, folds, voters, refits, chance. No user sees it.

============  ==========================================================================
units         rows that are not independent: copies, groups, families
splits        units drawn to hold out, folds of units, some samples of each class
voters        nearest neighbors that vote, and how often they are right
refits        maps that are fitted again to a part of the samples
intervals     how far a figure may be from that of all samples
chance        labels shuffled between units, and p-values
label_signal  whether labels can be predicted from the data at all
left_out      least squares on classes, each sample left out
============  ==========================================================================
"""
