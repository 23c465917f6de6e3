"""t-SNE, by kernels, by labels, or by both; and MDS of Fisher distances."""
