"""Files of each format into columns.

==========  ==========================================================================
text_file   a text of unknown packing, encoding and delimiter
delimited   its lines into columns
parsed      the columns of a text, kept to be read again without it
arrays      NumPy's files and arrays
==========  ==========================================================================
"""
