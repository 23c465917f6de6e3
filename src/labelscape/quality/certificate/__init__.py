"""The certificate of a map: whether separation is real, and how much is shown.

The plan of `honesty`::

    X, y, groups ── units ─────── Problem: classes of at least two units (trial.py)
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

`certify` has a map and no estimator. Instead of fitting maps, it predicts positions of
held-out rows from the data, with a model that learns from the other rows.

===============  ======================================================================
honesty          the test of a map by fitting it again
certify          the test of given positions
table_trial      what both share: the planned fits, and the report on them
fits             one fit, and the evaluation of all fits
gaps             whether few rows lie between neighboring classes
_dip             the dip statistic
leaks            features, and a row order, that reveal the labels
dependence       rows near each other, in the table or in space, that are alike
verdict          the conclusions on maps and classifiers, as records
sentences        their sentences
report           all results
placed           accuracy on the rows that were only placed on a map
===============  ======================================================================
"""
