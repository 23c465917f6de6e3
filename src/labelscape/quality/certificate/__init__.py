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

`certify` has a map and no estimator: in place of fits, the places of the held-out half
are predicted from the data and the places of the other half.

===============  ======================================================================
honesty          the test of a map that is fitted again
certify          the test of a map that is given
trial            the plan above, from a table to the report
fits             what is tested, one fit, and the evaluation of all fits
gaps             whether rows are sparse between neighboring classes
_dip             the kernel of its test
leaks            features, and an order of rows, that give the labels away
verdict          the conclusion, as a record that prints as sentences; of classifiers
report           all results
placed           accuracy on the rows that were only placed on a map
===============  ======================================================================
"""
