"""t-SNE with kernels or labels, and MDS of Fisher distances."""
