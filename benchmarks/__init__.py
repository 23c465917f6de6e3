"""Side-by-side runs against peers, and the papers' tables beside ours.

``python -m benchmarks`` lists them, ``python -m benchmarks NAME`` runs one.
"""
