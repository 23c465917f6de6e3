"""What a fit tells those who wait for it, and what an estimator is to scikit-learn."""
