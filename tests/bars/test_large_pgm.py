#!/usr/bin/env python3
"""large_pgm.py: header, noise by seed, and rows below that take no room."""

import os
import tempfile
import unittest

import large_pgm


class LargePgm(unittest.TestCase):
    def write(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "image.pgm")
            large_pgm.main(path, *arguments)
            with open(path, "rb") as file:
                return file.read(), os.stat(path).st_blocks * 512

    def test_all_rows_are_noise(self):
        file, _ = self.write(300, 200)
        head, pixels = file[:15], file[15:]
        self.assertEqual(head, b"P5\n300 200\n255\n")
        self.assertEqual(len(pixels), 60000)
        self.assertEqual(len(set(pixels)), 256)
        self.assertEqual(self.write(300, 200)[0], file)
        self.assertNotEqual(self.write(300, 200, 200, 2)[0], file)

    def test_rows_below_are_0_and_take_no_room(self):
        file, room = self.write(1000, 4000, 10)
        self.assertEqual(len(file), 17 + 1000 * 4000)
        self.assertEqual(len(set(file[17:10017])), 256)
        self.assertEqual(set(file[10017:]), {0})
        self.assertLess(room, 1000 * 1000)

    def test_bands_join_without_a_gap(self):
        large_pgm.BAND_BYTES, before = 64, large_pgm.BAND_BYTES
        file, _ = self.write(30, 10)
        large_pgm.BAND_BYTES = before
        self.assertEqual(len(file), 13 + 300)


if __name__ == "__main__":
    unittest.main()
