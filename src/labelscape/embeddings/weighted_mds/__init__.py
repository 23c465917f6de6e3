"""Weighted multidimensional scaling, and maps of prototype models."""
