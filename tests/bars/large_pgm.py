#!/usr/bin/env python3
"""Writes a PGM of any size, band by band: noise, and from a row on nothing.

    large_pgm.py PATH WIDTH HEIGHT [ROWS [SEED]]

The first ROWS rows (all, if not given) are uniform random bytes by SEED (1). The rows below are 0 and
take no room on the disk where the file system keeps holes. For runs on images that memory has no
room for.
"""

import random
import sys

BAND_BYTES = 64 << 20


def main(path, width, height, rows=None, seed=1):
    rows = height if rows is None else min(rows, height)
    source = random.Random(seed)
    left = width * rows
    with open(path, "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % (width, height))
        while left > 0:
            band = min(left, BAND_BYTES)
            file.write(source.randbytes(band))
            left -= band
        file.truncate(file.tell() + width * (height - rows))


if __name__ == "__main__":
    if not 4 <= len(sys.argv) <= 6:
        sys.exit(__doc__)
    main(sys.argv[1], *(int(word) for word in sys.argv[2:]))
