"""The LVQ family on chunks of objects, wherever they are."""
