"""Paper 000: Bunte et al. (2012), limited rank matrix learning."""
