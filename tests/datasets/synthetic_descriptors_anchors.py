#!/usr/bin/env python3
"""Prints the hashes that test_synthetic_descriptors.c expects: what the header of
synthetic_descriptors.h says, written once more on Python's unbounded integers."""

M64 = 2**64 - 1
FIRST, SECOND, NOISE, KIND, ORDER = range(5)


def mix(seed, place):
    z = (seed + (place + 1) * 0x9E3779B97F4A7C15) & M64
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & M64
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & M64
    return z ^ z >> 31


def pairs(count, seed):
    draw = lambda stream, place: mix(mix(seed, stream), place)
    first, second = [], []
    for i in range(count):
        words = range(16 * i, 16 * i + 16)
        row = [draw(FIRST, w) for w in words]
        first.append(row)
        if draw(KIND, i) % 100 < 60:
            flips = [draw(NOISE, 3 * w) & draw(NOISE, 3 * w + 1) & draw(NOISE, 3 * w + 2) for w in words]
            second.append([a ^ b for a, b in zip(row, flips)])
        else:
            second.append([draw(SECOND, w) for w in words])
    order = []
    for i in range(count):
        other = draw(ORDER, i) % (i + 1)
        order.append(i)
        order[i] = order[other]
        order[other] = i
    placed = [None] * count
    for i, place in enumerate(order):
        placed[place] = second[i]
    return b"".join(w.to_bytes(8, "little") for row in first + placed for w in row)


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & M64
    return value


for count, seed in ((1, 1), (7, 1), (300, 5)):
    data = pairs(count, seed)
    print(f"{{{count}, {seed}, UINT64_C(0x{fnv(data):016x})}},")
