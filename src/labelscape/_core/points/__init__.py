"""Points with distances, for all packages."""
