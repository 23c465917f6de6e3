"""The kernel map, which places new samples on any map."""
