"""What the maps with kernels share, described once."""

KERNEL_TEXTS = {
    "kernels": """
    bandwidth : {"cv", "global", "per_point"} or float, default="cv"
        Widths of the kernels. "global": the median distance to the nearest neighbour,
        times ``bandwidth_factor``, for all. "cv": the same with the factor, of seven
        between 0.05 and 1, that places held-out objects best. "per_point": each
        centre's own distance to its nearest neighbour, times ``bandwidth_factor``; in
        high dimension outliers then swallow what is near them. Or a number, in units of
        the metric.
    bandwidth_factor : float, default=0.1
        See ``bandwidth``. Narrow kernels copy the nearest centre, wide ones draw
        everything to the middle.
    ridge : float, default=1e-3
        How strongly the places that kernels give are held together. 0 is the
        pseudo-inverse of the paper.
    n_centers : int or None, default=None
        How many of the fitted objects have a kernel, drawn at random. None: all, but
        not more than 3000.""",
    "kernel_attributes": """
    center_indices_ : ndarray of shape (n_centers,)
        Which fitted objects have a kernel.
    centers_ : ndarray of shape (n_centers, n_features)
        These objects.
    widths_ : ndarray of shape (n_centers,)
        Widths of their kernels.
    factor_ : float or None
        Width in units of the typical distance to the nearest neighbour; None if
        ``bandwidth`` is a number.
    coefficients_ : ndarray of shape (n_centers, n_components)
        The place that each kernel gives.""",
}
