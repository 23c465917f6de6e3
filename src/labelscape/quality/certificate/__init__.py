"""The certificate of a map: whether its separation is real, and how much it keeps.

The plan of `honesty`::

    X, y, groups ── units ─────── Problem: classes of two units at least
                                     │  n_splits random halves of the units
                       ┌─────────────┴────────────┐
              true labels                 shuffled labels (n_refits)
                       │                          │
              fit the map to one half, place the other half: JudgedFit
              k neighbors on the map vote for      │
              fitted (seen) and held-out samples   │
              (unseen); in the data (original)     │
                       │                          │
             HonestyEvaluation             null_seen, null_unseen
          scores, p-value, intervals              │
                       │                          │
         leaks ──── Verdict ─────────────── HonestyReport

===============  ======================================================================
honesty          the function that carries out the plan
fits             what is judged, one fit, and what follows from all of them
leaks            what is too good to be true: features and an order of rows
verdict          what follows, as a record that prints as a sentence; of classifiers
report           all of it
placed           what one map makes of the rows that it only placed
===============  ======================================================================
"""
