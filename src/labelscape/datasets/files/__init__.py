"""Readers of all file formats."""
