"""The view in a notebook: `labelscape.explore` and its Explorer."""
