"""What helps to read a map: arrows of features, and who is near in the data."""
