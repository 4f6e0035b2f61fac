"""Gliding boxes of other libraries: the sums of all boxes of an image, and from them the two moments."""
import ctypes

from ._peers import Calls, cupy_on, opencv_threads, torch_on, within
from ._peers_of_npp import Context, Point, Size, context, function

_EXACT = 2**53  # sums up to here have every unit in double precision


def _numbers(text, half):
    """Each once, in their order; `half` of the shorter side, up to which "log" and "paper" go."""
    numbers = []
    for word in text.split("+"):
        if not word.isdigit() and word not in ("log", "paper"):
            raise NotImplementedError(f"it takes numbers, log and paper, not '{word}'")
        number = 1 if word in ("log", "paper") else int(word)
        numbers.append(number)
        while not word.isdigit() and number + (number if word == "log" else 1) <= half:
            number += number if word == "log" else 1
            numbers.append(number)
    return list(dict.fromkeys(numbers))


def _plan(work):
    """Thresholds and boxes, in the order of the answer's rows."""
    height, width = work.image.shape
    boxes = _numbers(work.answer["box"], max(1, min(min(height, width) // 2, 65535)))
    if max(boxes) ** 4 * width > _EXACT:
        raise NotImplementedError("sums of squares of a row may be beyond 2^53")
    return _numbers(work.answer["threshold"], 0), boxes


def _squares(inside, box, squares):
    """Σs² of the masses of a box, exactly: `squares` adds those of as many rows as double precision can."""
    rows = max(1, _EXACT // (box**4 * inside.shape[1]))
    return sum(int(squares(inside[from_row:from_row + rows])) for from_row in range(0, len(inside), rows))


def _calls(work, prepare, sums, upload=None, pixel_seconds=0.0):
    """`prepare` is called with a threshold, `sums` with a box: it returns Σs and Σs², in so long for a pixel."""
    thresholds, boxes = _plan(work)
    within(pixel_seconds * work.image.size * len(thresholds) * len(boxes))
    height, width = work.image.shape
    rows = []

    def run():
        rows.clear()
        for threshold in thresholds:
            prepare(threshold)
            rows.extend((threshold, box, *sums(box)) for box in boxes)

    def download():
        for at, (threshold, box, first, second) in enumerate(rows):
            first, second = int(first), int(second)
            positions = (height - box + 1) * (width - box + 1)
            work.out["curve"][at] = (threshold, box, positions, first, second % 2**64, second // 2**64)

    return Calls(run, download, upload)


def opencv(work):
    """cv2.boxFilter with whole numbers."""
    import cv2
    import numpy as np

    image, (height, width), threads = work.image, work.image.shape, work.threads
    mask, masses = np.empty_like(image), np.empty(image.shape, np.int32)

    def prepare(threshold):
        opencv_threads(threads)
        cv2.threshold(image, threshold - 1, 1, cv2.THRESH_BINARY, mask)

    def sums(box):
        cv2.boxFilter(mask, cv2.CV_32S, (box, box), masses, (0, 0), False, cv2.BORDER_CONSTANT)
        inside = masses[:height - box + 1, :width - box + 1]
        return cv2.sumElems(inside)[0], _squares(inside, box, lambda part: cv2.norm(part, cv2.NORM_L2SQR))

    return _calls(work, prepare, sums, pixel_seconds=1e-9)


def scipy(work):
    """uniform_filter in double precision: a mean, of which the mass is made again."""
    import numpy as np
    from scipy.ndimage import uniform_filter

    image, (height, width) = work.image, work.image.shape
    mask, means = np.empty(image.shape), np.empty(image.shape)

    def prepare(threshold):
        np.greater_equal(image, threshold, out=mask)

    def sums(box):
        uniform_filter(mask, box, means, "constant", 0.0, -(box // 2))
        inside = np.rint(means[:height - box + 1, :width - box + 1] * (box * box))
        return inside.sum(), _squares(inside, box, lambda part: np.vdot(part, part))

    return _calls(work, prepare, sums, pixel_seconds=1e-8)


def _check_64_bits(work):
    if max(_plan(work)[1]) ** 4 * work.image.size >= 2**63:
        raise NotImplementedError("sums of squares may be beyond 2^63")


def pytorch(work):
    """Sums of boxes as differences of a summed-area table, which two cumsum make."""
    _check_64_bits(work)
    torch = torch_on(work.stream)
    image, (height, width) = torch.from_numpy(work.image), work.image.shape
    there = torch.empty((height, width), dtype=torch.uint8, device="cuda")
    rows = torch.empty((height, width), dtype=torch.int32, device="cuda")
    table = torch.zeros((height + 1, width + 1), dtype=torch.int32, device="cuda")

    def upload():
        there.copy_(image)

    def prepare(threshold):
        torch.cumsum(there >= threshold, 1, dtype=torch.int32, out=rows)
        table[1:, 1:] = torch.cumsum(rows, 0, dtype=torch.int32)

    def sums(box):
        masses = table[box:, box:] - table[:-box, box:] - table[box:, :-box] + table[:-box, :-box]
        return masses.sum(dtype=torch.int64), masses.long().square_().sum()

    return _calls(work, prepare, sums, upload)


def cupy(work):
    """The same with CuPy's arrays."""
    _check_64_bits(work)
    cp = cupy_on(work.stream)
    height, width = work.image.shape
    there, rows = cp.empty((height, width), cp.uint8), cp.empty((height, width), cp.int32)
    table = cp.zeros((height + 1, width + 1), cp.int32)

    def upload():
        there.set(work.image)

    def prepare(threshold):
        cp.cumsum(there >= threshold, axis=1, dtype=cp.int32, out=rows)
        table[1:, 1:] = cp.cumsum(rows, axis=0, dtype=cp.int32)

    def sums(box):
        masses = table[box:, box:] - table[:-box, box:] - table[box:, :-box] + table[:-box, :-box]
        masses = masses.astype(cp.int64)
        return masses.sum(), (masses * masses).sum()

    return _calls(work, prepare, sums, upload)


def npp(work):
    """nppiFilterBox_32f_C1R_Ctx: means, of which the masses are made again, in memory of PyTorch's."""
    _check_64_bits(work)
    torch = torch_on(work.stream)
    if max(_plan(work)[1]) ** 2 >= 2**20:
        raise NotImplementedError("a mean of single precision does not have every mass of such a box")
    pointer, number = ctypes.c_void_p, ctypes.c_int
    means_of, version = function("nppif", "nppiFilterBox_32f_C1R_Ctx", pointer, number, pointer, number, Size, Size, Point,
                                 Context)
    image, (height, width) = torch.from_numpy(work.image), work.image.shape
    pitch = (width + 127) // 128 * 128
    there = torch.empty((height, width), dtype=torch.uint8, device="cuda")
    mask, means = (torch.zeros((height, pitch), dtype=torch.float32, device="cuda") for _ in "12")
    here = context(torch, work.stream)

    def upload():
        there.copy_(image)

    def prepare(threshold):
        mask[:, :width] = there >= threshold

    def sums(box):
        size = Size(width - box + 1, height - box + 1)
        status = means_of(mask.data_ptr(), 4 * pitch, means.data_ptr(), 4 * pitch, size, Size(box, box), Point(0, 0), here)
        if status != 0:
            raise NotImplementedError(f"NPP returned {status} for boxes of {box} pixels")
        masses = (means[:size.height, :size.width] * (box * box)).round_().long()
        return masses.sum(), masses.square_().sum()

    calls = _calls(work, prepare, sums, upload)
    calls.version = version
    return calls
