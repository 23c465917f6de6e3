"""The Fisher metric of tensors: the same numbers, worked out where they are."""
