"""Files of each format into columns.

============  ========================================================================
text_file     a text of unknown packing, encoding and delimiter
delimited     its lines into columns
surroundings  titles above a table, notes below it
arrays        NumPy's files and arrays
excel         sheets of Excel files
============  ========================================================================
"""
