"""Summed-area tables of other libraries."""
import ctypes
import importlib.metadata
import os

from ._peers import Calls, cupy_on, opencv_threads, torch_on
from ._peers_of_npp import Context, Size, context, function


def opencv(work):
    """It writes the zeros too. Sums of 64 bits are in double precision, exact up to 2^53."""
    import cv2
    import numpy as np

    out, image = work.out["table"], work.image
    exact = work.answer["sum"] == "64"
    table = np.empty(out.shape, np.float64 if exact else np.int32)
    depth = cv2.CV_64F if exact else cv2.CV_32S

    def run():
        opencv_threads(1)
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


_IPP_KINDS = {"k0": {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"}, "l9": {"avx2"}, "y8": {"sse4_2"}}


def _ipp_library(package):
    """That of this processor. The one that would choose it looks for names that the package does not have, and ends the
    process."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = set(next((line for line in file if line.startswith("flags")), "").split())
    kind = next((kind for kind, needed in _IPP_KINDS.items() if needed <= flags), None)
    files = {os.path.basename(file): str(file.locate()) for file in package.files or ()}
    for name in ("libippcore.so.12", f"libippcv{kind}.so.12"):
        if name not in files:
            raise NotImplementedError(f"the package has no {name}")
        library = ctypes.CDLL(files[name], mode=ctypes.RTLD_GLOBAL)
    return library


def ipp(work):
    """ippiIntegral_8u32s_C1R on one thread, which writes the zeros too."""
    import numpy as np

    if work.answer["sum"] != "32":
        raise NotImplementedError("its sums have 32 bits")
    package = importlib.metadata.distribution("ipp")
    integral = _ipp_library(package).ippiIntegral_8u32s_C1R
    pointer, number = ctypes.c_void_p, ctypes.c_int
    integral.argtypes = [pointer, number, pointer, number, Size, number]
    out, image = work.out["table"], work.image
    table, size = np.empty(out.shape, np.int32), Size(*reversed(image.shape))

    def run():
        status = integral(image.ctypes.data, image.strides[0], table.ctypes.data, table.strides[0], size, 0)
        if status != 0:
            raise RuntimeError(f"IPP returned {status}")

    def download():
        out[...] = table.view(out.dtype)

    calls = Calls(run, download)
    calls.version = package.version
    return calls


def npp(work):
    """nppiIntegral_8u32s_C1R_Ctx in memory of PyTorch's. Rows begin at 512 bytes, as NPP's own do."""
    torch = torch_on(work.stream)
    if work.answer["sum"] != "32":
        raise NotImplementedError("its sums have 32 bits")
    if work.image.shape[0] > 65535:  # blocks of a grid going down: of 70,000 rows it made none, without an error
        raise NotImplementedError("it computes 65,535 rows at most")
    pointer, number = ctypes.c_void_p, ctypes.c_int
    integral, version = function("nppist", "nppiIntegral_8u32s_C1R_Ctx", pointer, number, pointer, number, Size, number,
                                 Context)
    out, image = torch.from_numpy(work.out["table"].view("int32")), torch.from_numpy(work.image)
    height, width = image.shape
    pitch = (width + 1 + 127) // 128 * 128
    there = torch.empty(image.shape, dtype=torch.uint8, device="cuda")
    table = torch.zeros((height + 1, pitch), dtype=torch.int32, device="cuda")
    here = context(torch, work.stream)

    def upload():
        there.copy_(image)

    def run():
        status = integral(there.data_ptr(), width, table.data_ptr(), 4 * pitch, Size(width, height), 0, here)
        if status != 0:
            raise RuntimeError(f"NPP returned {status}")

    def download():
        out.copy_(table[:, :width + 1])

    calls = Calls(run, download, upload)
    calls.version = version
    return calls


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


def cupy(work):
    """The zeros are there before."""
    cp = cupy_on(work.stream)
    out = work.out["table"]
    there = cp.empty(work.image.shape, cp.uint8)
    table, rows = cp.zeros(out.shape, out.dtype), cp.empty(work.image.shape, out.dtype)
    inner = table[1:, 1:]

    def upload():
        there.set(work.image)

    def run():
        cp.cumsum(there, axis=1, dtype=out.dtype, out=rows)
        inner[...] = cp.cumsum(rows, axis=0)

    def download():
        table.get(out=out)

    return Calls(run, download, upload)
