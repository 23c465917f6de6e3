"""The local app: one server, one workspace, and fits in their own processes."""
