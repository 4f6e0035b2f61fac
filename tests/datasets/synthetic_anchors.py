#!/usr/bin/env python3
"""Prints the hashes that test_synthetic.c expects, from the definitions of the kinds alone: each pixel
on its own, with Python's unbounded integers. Written apart from the C code, to check it."""
import functools

WIDTH, HEIGHT, SEED = 1301, 67, 42
M32, M64 = 2**32 - 1, 2**64 - 1
DETAIL = [40, 45, 50, 56, 63, 70, 79, 88, 99, 111]
REGION = [0, 0, 0, 0, 0, 32, 64, 96, 128, 0]


@functools.lru_cache(None)
def mix(seed, position):
    z = (seed + (position + 1) * 0x9E3779B97F4A7C15) & M64
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & M64
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & M64
    return z ^ z >> 31


def place(x, y):
    return y << 20 | x


@functools.lru_cache(None)
def lattice(seed, x, y):
    z = seed ^ (x * 0x9E3779B1 & M32) ^ (y * 0x85EBCA77 & M32)
    z = (z ^ z >> 15) * 0x2C1B3C6D & M32
    z = (z ^ z >> 12) * 0x297A2D39 & M32
    return z >> 24


def smooth(distance, side):
    t = 65536 * distance // side
    return (3 * 65536 * t * t - 2 * t**3) // 2**32


def value_noise(seed, octave, share, x, y):
    side = 2**octave
    random = mix(seed, octave)
    move = random >> 32 & 0xFFFF
    low = random & M32
    column, across = divmod(x + move, side)
    line, down = divmod(y + move, side)
    wx, wy = smooth(across, side), smooth(down, side) // 256
    ends = [
        (lattice(low, column + i, line) * (256 - wy) + lattice(low, column + i, line + 1) * wy) * share // 65536
        for i in (0, 1)
    ]
    return ends[0] * (65535 - wx) // 65536 + ends[1] * wx // 65536


def noise_sum(strengths, seed, x, y):
    total = sum(strengths)
    return sum(value_noise(seed, k, 65536 * s // total, x, y) for k, s in enumerate(strengths) if s)


def texture(x, y):
    detail = noise_sum(DETAIL, mix(SEED, 0), x, y) - 32640
    level = noise_sum(REGION, mix(SEED, 1), x, y) // 4096
    distance = 8 + mix(mix(SEED, 2), level) % 32
    spread = abs(detail) * 2 // 256 * (1 if detail > 0 else -1)
    return max(0, min(255, 128 + (distance if level % 2 else -distance) + spread))


LEVELS = (max(WIDTH, HEIGHT) - 1).bit_length()
SHARE, CUTS = 2**40 * 3**LEVELS // 4**LEVELS, LEVELS


def noise(x, y):
    return mix(SEED, place(x - x % 8, y)) >> 8 * (x % 8) & 255


def random(x, y):
    return 255 * (mix(SEED, place(x, y)) >> 24 < SHARE)


def even(x, y):
    phase = mix(SEED, 0) + x * 0xC13FA9A902A6328F + y * 0x91E10DA5C79E7B1D
    return 255 * ((phase & M64) >> 24 < SHARE)


def clustered(x, y):
    chosen = mix(mix(SEED, 0), place(x // 128, y // 128)) % 4
    inside = min(2**40, 4 * SHARE)
    share = inside if chosen == x // 64 % 2 + 2 * (y // 64 % 2) else (4 * SHARE - inside) // 3
    return 255 * (mix(mix(SEED, 1), place(x, y)) >> 24 < share)


def cantor(x, y):
    for level in range(LEVELS, LEVELS - CUTS, -1):
        quarter = (x >> level - 1) % 2 + 2 * ((y >> level - 1) % 2)
        if mix(SEED + level, place(x >> level, y >> level)) % 4 == quarter:
            return 0
    return 255


def print_hash(kind, words):
    code = 0xCBF29CE484222325
    for y in range(HEIGHT):
        for x in range(WIDTH):
            code = (code ^ kind(x, y)) * 0x100000001B3 & M64
    print("%s%s 0x%016x" % (kind.__name__, words, code))


for kind in (texture, noise, random, even, clustered, cantor):
    print_hash(kind, "")
for DENSITY in (0.3, 0.1):
    SHARE = int(DENSITY * 2**40 + 0.5)
    CUTS = min(range(LEVELS + 1), key=lambda n: abs(0.75**n - DENSITY))
    for kind in (random, even, clustered, cantor):
        print_hash(kind, " of density %g" % DENSITY)
