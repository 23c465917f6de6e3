"""Private modules for resampling: splits, folds, refits, shuffled labels."""
