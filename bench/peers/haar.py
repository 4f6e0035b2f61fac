"""Haar-like features of other libraries. Their values are of cells; that several rectangles have the same cells,
and so the same value, is written out afterwards."""
from ._peers import Calls, dense, within

SPLITS = ((2, 1), (1, 2), (3, 1), (1, 3), (2, 2))  # parts of the width and the height, by type
_SKIMAGE_TYPES = ("type-2-x", "type-2-y", "type-3-x", "type-3-y", "type-4")
_PARTS = {2: (1, -1), 3: (1, -2, 1), 1: (1,)}  # what the cells along a side count


def sides(work):
    """How many images there are, their height and width, and the least side of a rectangle."""
    return (*(int(work.facts[name]) for name in ("images", "height", "width")), int(work.answer["min-side"]))


def images(work):
    """The set as (images, height, width), and what makes it the program's again."""
    count, height, width, _ = sides(work)
    mine, refresh = dense(work.image)
    return mine.reshape(count, height, width), refresh


def largest(kind, cell_width, cell_height):
    """That a value of this type and size may be."""
    return 255 * cell_width * cell_height * (1 if kind < 2 else 2)


def cells(work, threshold):
    """(type, width of a cell, its height) of all features that may be above the threshold."""
    _, height, width, least = sides(work)
    for kind, (across, down) in enumerate(SPLITS):
        for cell_height in range(least // down, height // down + 1):
            for cell_width in range(least // across, width // across + 1):
                if largest(kind, cell_width, cell_height) > threshold:
                    yield kind, cell_width, cell_height


def value_count(work, threshold):
    """How many values there are of all cells in all images."""
    count, height, width, _ = sides(work)
    return count * sum(max(0, height - SPLITS[kind][1] * h + 1) * max(0, width - SPLITS[kind][0] * w + 1)
                       for kind, w, h in cells(work, threshold))


def integrals(pixels, out):
    """Summed-area tables of all images, whose first row and column are 0."""
    import numpy as np

    np.cumsum(pixels, axis=1, dtype=out.dtype, out=out[:, 1:, 1:])
    np.cumsum(out[:, 1:, 1:], axis=2, out=out[:, 1:, 1:])


def values(tables, kind, cell_width, cell_height):
    """Of one type and size at all positions, as (images, rows, columns)."""
    across, down = SPLITS[kind]
    rows, columns = (side - parts * cell for side, parts, cell in
                     zip(tables.shape[1:], (down, across), (cell_height, cell_width)))

    def corner(y, x):
        return tables[:, y * cell_height:y * cell_height + rows, x * cell_width:x * cell_width + columns]

    total = 0
    for (y, x), factor in corners(across, down).items():
        total = total + factor * corner(y, x) if factor != 1 else total + corner(y, x)
    return total


def corners(across, down):
    """How often each corner of a cell counts, by its row and column."""
    counts = {}
    for y, of_row in enumerate(_PARTS[down]):
        for x, of_column in enumerate(_PARTS[across]):
            for corner, sign in (((y + 1, x + 1), 1), ((y, x + 1), -1), ((y + 1, x), -1), ((y, x), 1)):
                counts[corner] = counts.get(corner, 0) + sign * of_row * of_column
    return {corner: count for corner, count in counts.items() if count}


def _bits(number):
    return int(number).bit_length()


class _Records:
    """Brings values of cells into the program's records."""

    def __init__(self, work):
        count, height, width, self.least = sides(work)
        reach = max(largest(kind, width // across, height // down) for kind, (across, down) in enumerate(SPLITS))
        self.value_bits, self.side_bits = _bits(reach) + 1, _bits(max(width, height))
        self.height, self.width, self.out, self.found = height, width, work.out, []

    def add(self, kind, cell_width, cell_height, image, y, x, value):
        """Of each rectangle with these cells at each place."""
        import numpy as np

        across, down = SPLITS[kind]
        for h in range(max(self.least, down * cell_height), down * cell_height + down):
            for w in range(max(self.least, across * cell_width), across * cell_width + across):
                inside = (y + h <= self.height) & (x + w <= self.width)
                at, fields = self.value_bits, (h, w, y[inside], x[inside])
                record = (value[inside] + (1 << (at - 1))).astype(np.uint64)
                for field in fields:
                    record |= np.asarray(field, np.uint64) << np.uint64(at)
                    at += self.side_bits
                record |= np.uint64(kind << at)
                self.found.append(record | image[inside].astype(np.uint64) << np.uint64(at + 3))

    def write(self):
        """As far as there is room; `count` has all."""
        import numpy as np

        found = np.concatenate(self.found) if self.found else np.empty(0, np.uint64)
        self.found = []
        room = self.out["records"].reshape(-1)
        self.out["count"][...] = len(found)
        kept = min(len(room), len(found))
        room[:kept] = found[:kept]


def numpy(work):
    """For each type and size the values at all positions of all images, and those above the threshold."""
    import numpy as np

    count, height, width, _ = sides(work)
    pixels, refresh = images(work)
    threshold = int(work.answer["threshold"])
    within(value_count(work, threshold) * 2e-8)
    tables = np.zeros((count, height + 1, width + 1), np.int32)
    kept = []

    def run():
        kept.clear()
        refresh()
        integrals(pixels, tables)
        for kind, cell_width, cell_height in cells(work, threshold):
            found = values(tables, kind, cell_width, cell_height)
            places = np.nonzero(np.abs(found) > threshold)
            kept.append(((kind, cell_width, cell_height), places, found[places]))

    def download():
        records = _Records(work)
        for cell, places, found in kept:
            records.add(*cell, *places, found)
        records.write()

    return Calls(run, download)


def skimage(work):
    """haar_like_feature for the coordinates of all cells, which are listed before. Its signs are the other way
    round."""
    import numpy as np
    from skimage.feature import haar_like_feature
    from skimage.transform import integral_image

    count, height, width, _ = sides(work)
    pixels, refresh = images(work)
    threshold = int(work.answer["threshold"])
    within(value_count(work, threshold) * 1e-6)
    rows, coordinates = _coordinates(work, threshold)
    types = np.array([_SKIMAGE_TYPES[row[0]] for row in rows])
    kept = []

    def run():
        kept.clear()
        refresh()
        for image in pixels if rows else ():
            found = haar_like_feature(integral_image(image), 0, 0, width, height, types, coordinates)
            places = np.flatnonzero(np.abs(found) > threshold)
            kept.append((places, found[places]))

    def download():
        records = _Records(work)
        table = np.array(rows).reshape(-1, 5)
        of_image = np.repeat(np.arange(len(kept)), [len(places) for places, _ in kept])
        places, found = (np.concatenate([one[part] for one in kept] or [np.empty(0, int)]) for part in (0, 1))
        order = np.argsort(places, kind="stable")  # rows of one cell stand together
        cell = table[places[order]]
        ends = np.flatnonzero(np.any(cell[1:, :3] != cell[:-1, :3], axis=1)) + 1
        for part in np.split(np.arange(len(order)), ends):
            if len(part):
                records.add(*map(int, cell[part[0], :3]), of_image[order[part]], cell[part, 3], cell[part, 4],
                            -found[order[part]])
        records.write()

    return Calls(run, download)


def _coordinates(work, threshold):
    """A row for each place of each cell, and the corners of its parts, clockwise for those of four."""
    import numpy as np

    _, height, width, _ = sides(work)
    rows, corners = [], []
    for kind, cell_width, cell_height in cells(work, threshold):
        across, down = SPLITS[kind]
        parts = ((0, 0), (0, 1), (1, 1), (1, 0)) if kind == 4 else [(y, x) for y in range(down) for x in range(across)]
        for y in range(height - down * cell_height + 1):
            for x in range(width - across * cell_width + 1):
                rows.append((kind, cell_width, cell_height, y, x))
                corners.append([[(y + part_y * cell_height, x + part_x * cell_width),
                                 (y + (part_y + 1) * cell_height - 1, x + (part_x + 1) * cell_width - 1)]
                                for part_y, part_x in parts])
    listed = np.empty(len(corners), object)
    for place, corner in enumerate(corners):
        listed[place] = corner
    return rows, listed
