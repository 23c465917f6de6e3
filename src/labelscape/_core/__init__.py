"""Private modules that all packages of the library share."""
