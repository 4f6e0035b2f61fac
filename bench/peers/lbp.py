"""Local binary patterns of other libraries: codes, and how often each is there."""
from ._peers import Calls, cupy_on, dense, opencv_threads, torch_on, within

_STEPS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))  # of the bits, down and to the right


def _permuted(places):
    """What a code is whose bit p is this program's bit places[p]."""
    import numpy as np

    codes = np.arange(256)
    return sum(((codes >> bit & 1) << place for bit, place in enumerate(places)), np.zeros_like(codes)).astype(np.uint8)


def opencv(work):
    """A comparison for each neighbour, in the image with a frame of zeros."""
    import cv2
    import numpy as np

    image, (height, width) = work.image, work.image.shape
    framed = np.zeros((height + 2, width + 2), np.uint8)
    bit, codes = np.empty_like(image), np.empty_like(image)
    neighbours = [framed[1 + dy:1 + dy + height, 1 + dx:1 + dx + width] for dy, dx in _STEPS]
    counts = []

    def run():
        opencv_threads(1)
        framed[1:-1, 1:-1] = image
        codes[...] = 0
        for place, neighbour in enumerate(neighbours):
            cv2.compare(neighbour, image, cv2.CMP_GE, bit)
            cv2.bitwise_and(bit, 1 << place, bit)
            cv2.bitwise_or(codes, bit, codes)
        counts[:] = [cv2.calcHist([codes], [0], None, [256], [0, 256])]

    def download():
        work.out["codes"][...] = codes
        work.out["histogram"][...] = counts[0].reshape(1, 256)

    return Calls(run, download)


def skimage(work):
    """Bit 0 is on the right, and the others follow anticlockwise."""
    import numpy as np
    from skimage.feature import local_binary_pattern

    image, ours = work.image, _permuted((4, 2, 1, 0, 3, 5, 6, 7))
    within(image.size * 1e-7)
    found = {}

    def run():
        found["codes"] = local_binary_pattern(image, 8, 1, "default")
        found["counts"] = np.bincount(found["codes"].ravel().astype(np.uint8), minlength=256)

    def download():
        work.out["codes"][...] = ours[found["codes"].astype(np.uint8)]
        work.out["histogram"][0, ours] = found["counts"]

    return Calls(run, download)


def mahotas(work):
    """lbp_transform, whose codes are turned until they are least."""
    import numpy as np
    from mahotas.features.lbp import lbp_transform

    within(work.image.size * 1.8e-7)
    image, refresh = dense(work.image)
    found = {}

    def run():
        refresh()
        found["codes"] = lbp_transform(image, 1, 8, preserve_shape=True)
        found["counts"] = np.bincount(found["codes"].ravel(), minlength=256)

    def download():
        work.out["codes"][...] = found["codes"]
        work.out["histogram"][...] = found["counts"].reshape(1, -1)

    return Calls(run, download)


def pytorch(work):
    """A comparison for each neighbour on the device, in the image with a frame of zeros."""
    torch = torch_on(work.stream)
    image, (height, width) = torch.from_numpy(work.image), work.image.shape
    framed = torch.zeros((height + 2, width + 2), dtype=torch.uint8, device="cuda")
    centre = framed[1:-1, 1:-1]
    neighbours = [framed[1 + dy:1 + dy + height, 1 + dx:1 + dx + width] for dy, dx in _STEPS]
    codes = torch.empty((height, width), dtype=torch.uint8, device="cuda")
    counts = torch.empty(256, dtype=torch.int64, device="cuda")

    def upload():
        centre.copy_(image)

    def run():
        codes.zero_()
        for place, neighbour in enumerate(neighbours):
            codes.bitwise_or_((neighbour >= centre).to(torch.uint8) << place)
        counts.copy_(torch.bincount(codes.view(-1).int(), minlength=256))

    def download():
        torch.from_numpy(work.out["codes"]).copy_(codes)
        torch.from_numpy(work.out["histogram"].view("int64")).copy_(counts.view(1, 256))

    return Calls(run, download, upload)


def cupy(work):
    """The same with CuPy's arrays."""
    cp = cupy_on(work.stream)
    height, width = work.image.shape
    framed = cp.zeros((height + 2, width + 2), cp.uint8)
    there, codes = (cp.empty((height, width), cp.uint8) for _ in "12")
    centre = framed[1:-1, 1:-1]
    neighbours = [framed[1 + dy:1 + dy + height, 1 + dx:1 + dx + width] for dy, dx in _STEPS]
    found = {}

    def upload():
        there.set(work.image)
        centre[...] = there

    def run():
        codes.fill(0)
        for place, neighbour in enumerate(neighbours):
            cp.bitwise_or(codes, (neighbour >= centre).view(cp.uint8) << cp.uint8(place), out=codes)
        found["counts"] = cp.bincount(codes.ravel(), minlength=256)

    def download():
        codes.get(out=work.out["codes"])
        work.out["histogram"][...] = found["counts"].get().reshape(1, 256)

    return Calls(run, download, upload)
