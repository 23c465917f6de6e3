"""Paper 001: Hammer, Gisbrecht and Schulz (2013), discriminative maps."""
