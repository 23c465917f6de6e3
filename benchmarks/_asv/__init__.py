"""Speed over time: ten jobs that `asv` runs on one commit after another."""
