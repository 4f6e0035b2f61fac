"""A box blur of 3×3 pixels on the CPU: NumPy, and Numba on one processor and on all.

    bench run blur.py --sizes all
"""
import bench
import numpy as np


@bench.variant
def plain(image, out):
    """NumPy: the nine neighbours, added."""
    padded = np.pad(image, 1, mode="edge").astype(np.uint16)
    height, width = image.shape
    out[:] = sum(padded[y:y + height, x:x + width] for y in range(3) for x in range(3)) // 9


try:
    import numba
except ImportError:
    numba = None

if numba:

    @numba.njit(parallel=True, cache=True)
    def rows(image, out):
        height, width = image.shape
        for y in numba.prange(height):
            for x in range(width):
                total = 0
                for dy in range(-1, 2):
                    for dx in range(-1, 2):
                        total += image[min(max(y + dy, 0), height - 1), min(max(x + dx, 0), width - 1)]
                out[y, x] = total // 9

    @bench.variant(improves_on="plain", threads=True)
    def compiled(image, out, threads):
        """Numba: loops over the rows, on all processors."""
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        rows(image, out)
