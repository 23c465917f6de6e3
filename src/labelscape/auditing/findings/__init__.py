"""What is wrong with a table, apart from its labels.

===============  ======================================================================
record           a finding: what, how many, which rows, how sure, what to do
copies           rows that are equal, or nearly so, and rows that contradict others
columns          columns that say nothing, and values that stand for missing ones
class_names      classes written in two ways, and classes too small to judge
shapes           hidden groups, rows far from everything, batches
leaks            what is too good to be true, and gaps that tell the class
===============  ======================================================================
"""
