"""The local app: one server, one workspace, fits in processes of their own."""
