"""What the app's workers do."""
