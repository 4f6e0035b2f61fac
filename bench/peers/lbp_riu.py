"""Rotation-invariant uniform local binary patterns of other libraries."""
import math

from ._peers import Calls, cupy_on, opencv_threads, torch_on, within

_ONE = 10**5  # of an offset, to a pixel
_SUM = 2**14  # of the weights of a point: all sums are whole numbers below 2^22


def _scale(work):
    """Points, and the radius in thousandths."""
    points, radius = work.answer["pr"].split(":")
    whole, _, decimals = radius.partition(".")
    return int(points), int(whole) * 1000 + int(f"{decimals:0<3}")


def _taps(work):
    """Of each point the pixels that it is between, as (dy, dx) from the centre with a weight, by the definition."""
    points, radius = _scale(work)
    for point in range(points):
        angle = 2 * math.pi * point / points
        x, y = round(radius * 100 * math.cos(angle)), round(-radius * 100 * math.sin(angle))
        if work.answer["interp"] == "nearest":
            dx, dy = (int(math.copysign((abs(at) + _ONE // 2) // _ONE, at)) for at in (x, y))
            yield {(dy, dx): _SUM}
        else:
            yield _weights(x, y)


def _weights(x, y):
    """Rounded down; the units that are left go to the largest remainders, of equal ones further anticlockwise."""
    (left, a), (top, b) = divmod(x, _ONE), divmod(y, _ONE)
    shares = []
    for dy, part in ((top, _ONE - b), (top + 1, b)):
        for dx, across in ((left, _ONE - a), (left + 1, a)):
            weight, rest = divmod(part * across * _SUM, _ONE**2)
            shares.append((-rest, x * dy - y * dx, -(x * dx + y * dy), dy, dx, weight))
    more = _SUM - sum(share[-1] for share in shares)
    weights = {(dy, dx): weight + (place < more) for place, (*_, dy, dx, weight) in enumerate(sorted(shares))}
    return {at: weight for at, weight in weights.items() if weight}


def _reach(taps):
    return max(abs(side) for tap in taps for at in tap for side in at)


def _write(work, bins, counts):
    work.out["histogram"][...] = counts.reshape(1, -1)
    if "bins" in work.out:
        work.out["bins"][...] = bins


def skimage(work):
    """The method "uniform", whose bins are these."""
    import numpy as np
    from skimage.feature import local_binary_pattern

    (points, radius), image = _scale(work), work.image
    if work.answer["interp"] != "bilinear":
        raise NotImplementedError("it is bilinear")
    within(image.size * points * 1.2e-8)
    found = {}

    def run():
        found["bins"] = local_binary_pattern(image, points, radius / 1000, "uniform")
        found["counts"] = np.bincount(found["bins"].ravel().astype(np.uint8), minlength=points + 2)

    return Calls(run, lambda: _write(work, found["bins"], found["counts"]))


def opencv(work):
    """scaleAdd of shifted images in single precision, which is exact; bits, ones and changes as bytes; LUT."""
    import cv2
    import numpy as np

    image, (height, width), taps = work.image, work.image.shape, list(_taps(work))
    points, reach = len(taps), _reach(taps)
    within(image.size * sum(len(tap) + 3 for tap in taps) * 1e-9)
    framed = np.zeros((height + 2 * reach, width + 2 * reach), np.float32)
    here = framed[reach:reach + height, reach:reach + width]
    centre, sums, zero = (np.zeros((height, width), np.float32) for _ in "123")
    bits = [np.empty((height, width), np.uint8) for _ in taps]
    ones, changes, change = (np.empty((height, width), np.uint8) for _ in "123")
    table = np.arange(256, dtype=np.uint8)
    table[64:] = points + 1
    views = [[(framed[reach + dy:reach + dy + height, reach + dx:reach + dx + width], weight)
              for (dy, dx), weight in tap.items()] for tap in taps]
    found = {}

    def run():  # no numbers beside arrays: beside one of one pixel they are taken for four
        opencv_threads(1)
        here[...] = image
        cv2.scaleAdd(here, float(_SUM), zero, centre)
        ones[...] = 0
        changes[...] = 0
        for bit, parts in zip(bits, views):
            before = zero
            for view, weight in parts:
                before = cv2.scaleAdd(view, float(weight), before, sums)
            cv2.compare(sums, centre, cv2.CMP_GE, bit)
            cv2.threshold(bit, 0, 1, cv2.THRESH_BINARY, bit)
            cv2.add(ones, bit, ones)
        for before, bit in zip(bits[-1:] + bits[:-1], bits):
            cv2.bitwise_xor(before, bit, change)
            cv2.add(changes, change, changes)
        cv2.threshold(changes, 2, 255, cv2.THRESH_BINARY, change)
        cv2.bitwise_or(ones, change, ones)
        found["bins"] = cv2.LUT(ones, table)
        found["counts"] = cv2.calcHist([found["bins"]], [0], None, [points + 2], [0, points + 2])

    return Calls(run, lambda: _write(work, found["bins"], found["counts"]))


def _bins(views, where, as_bytes):
    """The same with arrays of a device; `views` has (pixels, weight) for each point, and at last the centre."""
    *points, centre = views
    bits = [as_bytes(sum(view * weight for view, weight in parts) >= centre * _SUM) for parts in points]
    changes = sum(before ^ bit for before, bit in zip(bits[-1:] + bits[:-1], bits))
    return where(changes <= 2, sum(bits), len(points) + 1)


def _views(work, framed, taps, reach):
    height, width = work.image.shape

    def view(dy, dx):
        return framed[reach + dy:reach + dy + height, reach + dx:reach + dx + width]

    return [[(view(*at), weight) for at, weight in tap.items()] for tap in taps] + [view(0, 0)]


def pytorch(work):
    """Weighted sums of shifted images in whole numbers on the device; bincount."""
    torch = torch_on(work.stream)
    image, taps = torch.from_numpy(work.image), list(_taps(work))
    reach = _reach(taps)
    framed = torch.zeros([side + 2 * reach for side in image.shape], dtype=torch.int32, device="cuda")
    views = _views(work, framed, taps, reach)
    found = {}

    def upload():
        views[-1].copy_(image)

    def run():
        found["bins"] = _bins(views, torch.where, lambda bits: bits.to(torch.uint8))
        found["counts"] = torch.bincount(found["bins"].view(-1).int(), minlength=len(taps) + 2)

    def download():
        torch.from_numpy(work.out["histogram"].view("int64")).copy_(found["counts"].view(1, -1))
        if "bins" in work.out:
            torch.from_numpy(work.out["bins"]).copy_(found["bins"])

    return Calls(run, download, upload)


def cupy(work):
    """The same with CuPy's arrays."""
    cp = cupy_on(work.stream)
    taps = list(_taps(work))
    reach = _reach(taps)
    framed = cp.zeros([side + 2 * reach for side in work.image.shape], cp.int32)
    there, views = cp.empty(work.image.shape, cp.uint8), _views(work, framed, taps, reach)
    found = {}

    def upload():
        there.set(work.image)
        views[-1][...] = there

    def run():
        found["bins"] = _bins(views, cp.where, lambda bits: bits.view(cp.uint8)).astype(cp.uint8)
        found["counts"] = cp.bincount(found["bins"].ravel(), minlength=len(taps) + 2)

    return Calls(run, lambda: _write(work, found["bins"].get(), found["counts"].get()), upload)
