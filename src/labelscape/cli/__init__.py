"""The command line: one file per command, over the functions of `labelscape.jobs`."""

import sys


def run() -> None:
    """Run the command line; Ctrl+C while it still loads prints no traceback."""
    try:
        from labelscape.cli.main import main  # takes a second

        main()
    except KeyboardInterrupt:
        sys.exit(130)
