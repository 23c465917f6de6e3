"""Chunked data: arrays and data frames of Dask, which may be larger than the memory."""
