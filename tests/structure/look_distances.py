#!/usr/bin/env python3
"""Whether the colours of variants can be distinguished: in grey, and with any colour vision.

    look_distances.py plot/look.c

Reads the table of looks. Prints, for normal sight and for eyes without red, green or blue cones
(matrices of Machado, Oliveira and Fernandes 2009, severity 1), the least CIE 1976 distance between the
variants usually drawn together, and the least difference of lightness between GPUs and CPUs. Ends
with 1 when something is too near.
"""
import itertools
import math
import re
import sys

TOGETHER = ["seq", "simd", "omp", "cuda_naive", "cuda_tiled", "cuda_texture", "cuda_fast"]
LEAST_TOGETHER = 20  # CIE 1976
LEAST_DARK = 12  # where labels and shapes must help
LEAST_KNOWN = 15
LEAST_LIGHTNESS = 12  # of L*, between the families
VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                     (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                   (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750),
          (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def linear(colour):
    shares = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]


def lab(colour, vision):
    seen = [min(1, max(0, c)) for c in times(VISIONS[vision], linear(colour))]
    x, y, z = [t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
               for t in (v / w for v, w in zip(times(TO_XYZ, seen), WHITE))]
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def looks(path):
    """(name or None, colour, colour on a dark page, whether hollow) of each line of the table."""
    row = re.compile(r'\{(?:"(\w+)"|NULL),\s*\{"(#\w{6})",\s*"(#\w{6})",\s*\w+,\s*"[^"]*",\s*(true|false)\}\}')
    return [(m[1], m[2], m[3], m[4] == "true") for m in row.finditer(open(path, encoding="utf-8").read())]


def main():
    table = looks(sys.argv[1])
    trouble = not {name for name, *_ in table} >= set(TOGETHER)
    known = [look for look in table if look[0]]
    names = [look[0] for look in known]
    for vision in VISIONS:
        for words, drawn, place, least in (
                ("drawn together", TOGETHER, 1, LEAST_TOGETHER),
                ("drawn together on a dark page", TOGETHER, 2, LEAST_DARK),
                ("known", names, 1, LEAST_KNOWN)):
            pairs = itertools.combinations([look for look in known if look[0] in drawn], 2)
            distance, a, b = min((math.dist(lab(a[place], vision), lab(b[place], vision)), a[0], b[0])
                                 for a, b in pairs)
            print(f"{vision}, {words}: {distance:.1f} between {a} and {b} (at least {least})")
            trouble |= distance < least
    for words, place in (("on white", 1), ("on a dark page", 2)):
        light = {hollow: [lab(look[place], "normal")[0] for look in table if look[3] == hollow]
                 for hollow in (False, True)}
        apart = max(min(light[True]) - max(light[False]), min(light[False]) - max(light[True]))
        print(f"lightness of GPUs and CPUs, {words}: {apart:.1f} apart (at least {LEAST_LIGHTNESS})")
        trouble |= apart < LEAST_LIGHTNESS
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
