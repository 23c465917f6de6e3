"""The command line: one file per command, over the functions of `labelscape.jobs`."""
