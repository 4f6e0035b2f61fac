#!/usr/bin/env python3
"""Prints the hashes that test_synthetic_digits.c expects. The strokes are those of synthetic_digits.c;
how they become pixels is written here once more, pixel by pixel, with Python's unbounded integers."""
import os
import re

M64 = 2**64 - 1
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../datasets/synthetic_digits.c")


def mix(seed, place):
    z = (seed + (place + 1) * 0x9E3779B97F4A7C15) & M64
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & M64
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & M64
    return z ^ z >> 31


def between(seed, place, least, most):
    return least + mix(seed, place) % (most - least + 1)


def cut(a, b):
    """a / b rounded towards 0."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def strokes():
    styles = {"STYLES": 3, "STYLE_A": 1, "STYLE_B": 2}
    table = []
    with open(SOURCE, encoding="utf-8") as file:
        text = file.read()
    pattern = r"\{\.digit = (\d),\s*\.styles = (\w+),\s*\.count = (\d+),\s*\.points =\s*\{(.*?)\}\}"
    rows = re.findall(pattern, text, re.S)
    assert len(rows) == text.count("{.digit = ")
    for digit, style, count, points in rows:
        pairs = [(int(x), int(y)) for x, y in re.findall(r"\{(\d+), (\d+)", points)]
        assert len(pairs) == int(count)
        table.append((int(digit), styles[style], pairs))
    return table


STROKES = strokes()


def curve(p, k):
    t3 = 8**3
    terms = 2 * p[1] * t3 + (p[2] - p[0]) * k * 64 + (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3]) * k**2 * 8
    return cut(terms + (3 * p[1] - p[0] - 3 * p[2] + p[3]) * k**3, 2 * t3)


def pieces(digit, seed, width, height):
    style = 2 if between(seed, 0, 0, 2) == 0 else 1
    scale_x, scale_y = between(seed, 1, 760, 1420), between(seed, 2, 760, 1020)
    slant, turn = between(seed, 3, -160, 420), between(seed, 4, -180, 180)
    shift_x, shift_y = between(seed, 5, -90, 90), between(seed, 6, -70, 70)
    for number, (own, styles, points) in enumerate(STROKES):
        if own != digit or not styles & style:
            continue
        path = []
        for i, (x, y) in enumerate(points):
            place = 16 + 26 * number + 2 * i
            x, y = x - 320 + between(seed, place, -75, 75), y - 500 + between(seed, place + 1, -65, 65)
            across, down = cut(x * scale_x - y * slant, 1024), cut(y * scale_y, 1024)
            x, y = across - cut(down * turn, 1024) + shift_x, down + cut(across * turn, 1024) + shift_y
            path.append((cut(x * width * 5120, 28000) + width * 128, cut(y * height * 5120, 28000) + height * 128))
        path.insert(0, tuple(2 * a - b for a, b in zip(path[0], path[1])))
        path.append(tuple(2 * a - b for a, b in zip(path[-1], path[-2])))
        for i in range(1, len(path) - 2):
            last = path[i]
            for k in range(1, 9):
                here = tuple(curve([p[axis] for p in path[i - 1 : i + 3]], k) for axis in (0, 1))
                yield last, here
                last = here


def square(x, y, a, b):
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    dot = min(length, max(0, (x - a[0]) * dx + (y - a[1]) * dy))
    part = dot * 4096 // length if length else 0
    return (x - a[0] - cut(dx * part, 4096)) ** 2 + (y - a[1] - cut(dy * part, 4096)) ** 2


def image(digit, seed, width, height):
    radius = between(seed, 7, 200, 410) * min(width, height) // 28
    ink = between(seed, 8, 225, 255)
    inner, outer = max(0, radius - 128) ** 2, (radius + 128) ** 2
    lines = list(pieces(digit, seed, width, height))
    for i in range(width * height):
        x, y = i % width * 256 + 128, i // width * 256 + 128
        least = min(square(x, y, a, b) for a, b in lines)
        share = 255 if least <= inner else 0 if least >= outer else (outer - least) * 255 // (outer - inner)
        full = share * ink // 255
        yield full - full * between(seed, 4096 + i, 0, 31) // 256 if share else 0


def print_hash(kind, count, width, height, seed):
    pixels, labels = [], []
    for i in range(count):
        own = mix(seed, i)
        labels.append(mix(own, 0) % 10)
        inner = mix(own, 1)
        if kind == "digits":
            pixels += image(labels[-1], inner, width, height)
        else:
            pixels += [mix(inner, k // 8) >> 8 * (k % 8) & 255 for k in range(width * height)]
    code = 0xCBF29CE484222325
    for value in pixels + labels:
        code = (code ^ value) * 0x100000001B3 & M64
    print("%s %d %dx%d %d 0x%016x" % (kind, count, width, height, seed, code))


print_hash("digits", 30, 28, 28, 42)
print_hash("digits", 12, 41, 23, 7)
print_hash("digits", 12, 4, 4, 7)
print_hash("noise", 30, 28, 28, 42)
print_hash("noise", 5, 7, 3, 1)
