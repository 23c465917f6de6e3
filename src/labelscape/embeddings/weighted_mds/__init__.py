"""Weighted multidimensional scaling, and pictures of prototype models."""
