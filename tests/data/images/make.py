#!/usr/bin/env python3
"""Writes the PNG, PNM, PFM and NPY fixtures of this folder with nothing but zlib, so that they do not depend on
the code and libraries under test. The colour picture is 7x5: R = 40x, G = 60y, B = 20x + 10y, alpha = 36x; the grey one
is G = 30x + 12y. Run it in this folder; the files it makes are committed."""
import struct
import zlib

WIDTH, HEIGHT = 7, 5
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6


def colour(x, y):
    return 40 * x, 60 * y, 20 * x + 10 * y


def grey(x, y):
    return 30 * x + 12 * y


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed(samples, depth):
    if depth == 16:
        return b"".join(struct.pack(">H", s) for s in samples)
    if depth == 8:
        return bytes(samples)
    bits = "".join(format(s, "0%db" % depth) for s in samples)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def rows(pixel, depth, interlaced, width, height):
    passes = ADAM7 if interlaced else [(0, 0, 1, 1)]
    for left, top, step_x, step_y in passes:
        if left >= width:
            continue
        for y in range(top, height, step_y):
            samples = [s for x in range(left, width, step_x) for s in pixel(x, y)]
            yield b"\0" + packed(samples, depth)


def write(name, kind, depth, pixel, interlaced=False, extra=b"", width=WIDTH, height=HEIGHT):
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, int(interlaced))
    data = zlib.compress(b"".join(rows(pixel, depth, interlaced, width, height)), 9)
    with open(name + ".png", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", data) + chunk(b"IEND", b""))


palette = chunk(b"PLTE", bytes([255, 0, 0, 0, 255, 0, 0, 0, 255, 90, 90, 90]))
write("rgb8", RGB, 8, colour)
write("rgb8_interlaced", RGB, 8, colour, True)
write("rgba8", RGBA, 8, lambda x, y: colour(x, y) + (36 * x,))
write("rgba8_interlaced", RGBA, 8, lambda x, y: colour(x, y) + (36 * x,), True)
write("rgb16", RGB, 16, lambda x, y: [257 * c for c in colour(x, y)])
write("grey8", GREY, 8, lambda x, y: [grey(x, y)])
write("grey8_interlaced", GREY, 8, lambda x, y: [grey(x, y)], True)
write("grey8_transparent", GREY, 8, lambda x, y: [grey(x, y)], extra=chunk(b"tRNS", struct.pack(">H", grey(1, 1))))
write("grey_alpha8", GREY_ALPHA, 8, lambda x, y: (grey(x, y), 36 * x))
write("grey16", GREY, 16, lambda x, y: [[0, 0x80, 0x81, 0xff, 0x7fff, 0xfeff, 0xffff][x]], height=1)
write("grey1", GREY, 1, lambda x, y: [(x + y) % 2])
write("grey2_interlaced", GREY, 2, lambda x, y: [(x + y) % 4], True)
write("grey4", GREY, 4, lambda x, y: [x + 2 * y])
write("palette2", PALETTE, 2, lambda x, y: [(x + y) % 4], extra=palette)
write("palette8_interlaced", PALETTE, 8, lambda x, y: [(x + y) % 4], True, extra=palette)
write("palette2_transparent", PALETTE, 2, lambda x, y: [(x + y) % 4], extra=palette + chunk(b"tRNS", bytes([0, 128])))
write("huge_chunk", GREY, 8, lambda x, y: [grey(x, y)], extra=struct.pack(">I", 0x7FDE0255) + b"zTXt")
write("text_chunk", GREY, 8, lambda x, y: [grey(x, y)], extra=chunk(b"tEXt", b"Title\0a picture"))
write("alpha_only", GREY_ALPHA, 8, lambda x, y: (0, 36 * x), True)
write("alpha_palette", PALETTE, 2, lambda x, y: [(x + y) % 2], extra=chunk(b"PLTE", bytes(12)) + chunk(b"tRNS", bytes([0, 128])))
write("alpha_flat", RGBA, 16, lambda x, y: (7, 7, 7, 99))
write("exif", GREY, 8, lambda x, y: [grey(x, y)], extra=chunk(b"eXIf", b"II*\0" + struct.pack("<IHHHIII", 8, 1, 0x0112, 3, 1, 6, 0)))
write("one_interlaced", GREY, 8, lambda x, y: [77], True, width=1, height=1)

for name, header, samples in [
    ("p1", "P1\n# bits\n3 2\n", b"0 1 0\n1 1 0\n"),
    ("p2", "P2\n3 1\n15\n", b"0 7 15\n"),
    ("p3", "P3\n2 1\n255\n", b"200 100 50\n0 0 255\n"),
    ("p4", "P4\n10 2\n", b"\x40\x40\xc0\x00"),
    ("p5", "P5\n2 2\n255\n", b"\x01\x02\x03\xff"),
    ("p6", "P6\n2 1\n65535\n", b"\x01\x02\x03\x04\x05\x06\xff\xff\x00\x00\x80\x80"),
]:
    with open(name + ".pnm", "wb") as file:
        file.write(header.encode() + samples)

with open("floats.pfm", "wb") as file:
    file.write(b"Pf\n3 2\n-1.0\n" + struct.pack("<6f", 0, 1, 2, 0.5, -3, 1e30))
for name, kind, shape, numbers in [
    ("numbers_u2", "<u2", "(2, 3)", struct.pack("<6H", 0, 1, 255, 256, 257, 65535)),
    ("numbers_f8", ">f8", "(6,)", struct.pack(">6d", 0, -1, 0.1, 255, 1e300, 4294967296)),
]:
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    with open(name + ".npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head + numbers)
