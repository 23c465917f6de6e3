"""The command line: one file per verb, over the functions of `labelscape.jobs`."""
