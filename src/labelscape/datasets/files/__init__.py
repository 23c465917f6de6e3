"""Files of each format into columns.

==========  ==========================================================================
text_file   a text of unknown packing, encoding and delimiter
delimited   its lines into columns
arrays      NumPy's files and arrays
==========  ==========================================================================
"""
