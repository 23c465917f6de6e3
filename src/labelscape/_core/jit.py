"""The numba settings of the library, chosen once.

Only kernel files import this module, and only a fit imports a kernel file: so
``import labelscape`` never loads numba.

Threads are not numba's business here. A kernel works on a range of rows, releases the
interpreter lock, and :mod:`labelscape._core.threads` hands out the ranges. That keeps
compilation short, survives ``fork``, and makes results independent of the number of
threads by construction: each row is computed by one thread, in one order.
"""

import numba

# fastmath stays off: it would let the compiler reorder sums, and the last bits of a
# result would then depend on the machine's vector width. error_model="numpy" makes a
# division by zero an infinity that our guards see, instead of a raised exception that
# keeps loops from being vectorised.
compiled = numba.njit(cache=True, nogil=True, fastmath=False, error_model="numpy")

# For inner products that are most of a kernel's time: the compiler may add them up in
# the order that its vector units like. That order is the same on every run of one
# machine, and with any number of threads, because one thread adds up each sum.
compiled_reordering = numba.njit(
    cache=True,
    nogil=True,
    fastmath={"reassoc", "contract", "nsz"},
    error_model="numpy",
)
