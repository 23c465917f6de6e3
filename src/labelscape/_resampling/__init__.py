"""Resampling: units, splits, folds, voters, refits, chance. Private."""
