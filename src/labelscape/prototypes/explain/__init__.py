"""Explanations of decisions: contributions, borders, counterfactuals."""
