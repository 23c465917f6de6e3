"""Paper 003: Kriegel and Schubert, advanced prototype machines: Push and Grow."""
