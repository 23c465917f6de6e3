"""What an audit found, as it stands in a scene."""
