"""Resampling: units, splits, folds, voters, refits, chance. Private.

============  ==========================================================================
units         rows that belong together: copies, groups, families
splits        units drawn to hold out, folds of units, some samples of each class
voters        classification by nearest neighbors, and balanced accuracies
refits        maps that are fitted again to a part of the samples
intervals     confidence intervals of means and of balanced accuracies
chance        labels shuffled between units, and p-values
label_signal  whether labels can be predicted from the data at all
left_out      least squares on classes, each sample left out
============  ==========================================================================
"""
