"""The certificate of a map: whether its separation is real, and how much it keeps.

The plan of `honesty`::

    X, y, groups ── units ─────── Problem: classes of at least two units
                                     │  n_splits random halves of the units
                       ┌─────────────┴────────────┐
              true labels                 shuffled labels (n_refits)
                       │                          │
              fit the map to one half, place the other half: JudgedFit
              k neighbors on the map classify     │
              fitted (seen) and held-out samples  │
              (unseen); in the data (original)    │
                       │                          │
                   evaluate               null_seen, null_unseen
          scores, p-value, intervals              │
                       │                          │
         leaks ──── Verdict ─────────────── HonestyReport

===============  ======================================================================
honesty          the function that carries out the plan
fits             what is tested, one fit, and the evaluation of all fits
leaks            features, and an order of rows, that give the labels away
verdict          the conclusion, as a record that prints as sentences; of classifiers
report           all results
placed           accuracy on the rows that were only placed on a map
===============  ======================================================================
"""
