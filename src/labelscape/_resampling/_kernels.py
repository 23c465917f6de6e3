"""Counts over labels and votes, as compiled loops that do not take the lock."""

from labelscape._core.jit import compiled


@compiled
def count_hits(labels, answers, hits, counts):
    """Count the samples of each class, and the right answers, in rows of labels."""
    for row in range(labels.shape[0]):
        for i in range(labels.shape[1]):
            label = labels[row, i]
            counts[row, label] += 1
            hits[row, label] += label == answers[i]
