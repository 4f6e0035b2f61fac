"""Summed-area tables of other libraries."""
from ._peers import Calls, opencv_threads, torch_on


def opencv(work):
    """It writes the zeros too. Sums of 64 bits are in double precision, exact up to 2^53."""
    import cv2
    import numpy as np

    out, image, threads = work.out["table"], work.image, work.threads
    exact = work.answer["sum"] == "64"
    table = np.empty(out.shape, np.float64 if exact else np.int32)
    depth = cv2.CV_64F if exact else cv2.CV_32S

    def run():
        opencv_threads(threads)
        cv2.integral(image, table, depth)

    def download():
        out[...] = table if exact else table.view(out.dtype)

    return Calls(run, download)


def numpy(work):
    """The zeros are there before."""
    import numpy as np

    out, image = work.out["table"], work.image
    table, rows = np.zeros(out.shape, out.dtype), np.empty(image.shape, out.dtype)
    inner = table[1:, 1:]

    def run():
        np.cumsum(image, axis=1, dtype=out.dtype, out=rows)
        np.cumsum(rows, axis=0, dtype=out.dtype, out=inner)

    def download():
        out[...] = table

    return Calls(run, download)


def pytorch(work):
    """Without the zeros, which are there before. Signed numbers: they are the same bits."""
    torch = torch_on(work.stream)
    out, image = work.out["table"], torch.from_numpy(work.image)
    kind = torch.int64 if work.answer["sum"] == "64" else torch.int32
    there = torch.empty(image.shape, dtype=torch.uint8, device="cuda")
    rows, sums = (torch.empty(image.shape, dtype=kind, device="cuda") for _ in "12")
    signed = torch.from_numpy(out.view("int64" if kind is torch.int64 else "int32"))

    def upload():
        there.copy_(image)

    def run():
        torch.cumsum(there, 1, dtype=kind, out=rows)
        torch.cumsum(rows, 0, dtype=kind, out=sums)

    def download():
        out[0], out[:, 0] = 0, 0
        signed[1:, 1:].copy_(sums)

    return Calls(run, download, upload)
