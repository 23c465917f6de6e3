"""The kernel map: any map, learned from a sample of it."""
