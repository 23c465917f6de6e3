"""How near we come to a paper, decided by rules.

"reached"      as good as printed, or better; a claim that holds
"near"         within the spread of ten random starts, two percentage points
"not reached"  neither; a claim that does not hold
"stand-in"     other data than the paper's, which are not public: nothing to compare
"dropped"      proposed as future work: tried, and no better
"""

REACHED, NEAR, MISSED = "reached", "near", "not reached"
STAND_IN, DROPPED = "stand-in", "dropped"
# One block of ten seeds moves the accuracy of its best run by 1.3 points up or down.
SPREAD = 2.0
# What a printed number with one decimal may hide.
ROUNDING = 0.05


def at_least(paper, ours, spread=SPREAD):
    """Judge a number of which more is better."""
    if ours >= paper - ROUNDING:
        return REACHED
    return NEAR if ours >= paper - spread else MISSED


def between(low, high, ours, spread=SPREAD):
    """Judge a number that should lie in a range, as printed."""
    if low - ROUNDING <= ours <= high + ROUNDING:
        return REACHED
    return NEAR if low - spread <= ours <= high + spread else MISSED


def holds(claim):
    """Judge a claim."""
    return REACHED if claim else MISSED


def pair(paper, ours, spread=SPREAD):
    """Judge several numbers of which more is better: by the worst of them."""
    order = (MISSED, NEAR, REACHED)
    each = [at_least(p, o, spread) for p, o in zip(paper, ours, strict=True)]
    return min(each, key=order.index)


def row(what, paper, ours, settings, verdict, tried=""):
    """Return a row of a table; what was tried is told where it was not reached."""
    line = {
        "what": what,
        "paper": paper,
        "ours": ours,
        "settings": settings,
        "verdict": verdict,
    }
    return line | {"tried": tried} if tried and verdict == MISSED else line
