#!/usr/bin/env python3
"""What other libraries take for a summed-area table, as a CSV that the study `integral` reads.

    integral.py OUT.csv [--sizes 480p,…] [--launches 6]

Measured, each where its library is there: OpenCV on one and on all processors, NPP
(nppiIntegral_8u32s_C1R_Ctx of the CUDA toolkit), PyTorch (a cumsum of rows, then of columns), and
beside them a copy on the GPU that moves as many bytes as a table of 32 bits needs: five a pixel,
read and written together. A peer that is not there is a row with the reason.

As `bench run --launches 6` does, it measures in processes of their own: a time is the median of
their medians, its interval the least and the greatest of these. Tables are held against NumPy's,
modulo 2^32. Input and output stay where they are and are used again and again. On the GPU a sample
is a batch of runs between two events, queued behind a kernel that holds the stream, so that the
host's launches do not count. Needs NumPy, and PyTorch for all that runs on the GPU.
"""
import argparse
import csv
import ctypes
import datetime
import glob
import json
import os
import statistics
import subprocess
import sys
import time

SIZES = {"360p": (480, 360), "480p": (640, 480), "720p": (1280, 720), "1080p": (1920, 1080),
         "4K": (3840, 2160), "8K": (7680, 4320), "16K": (15360, 8640)}
# Names and meanings are those of the program's own CSV: bench help columns.
COLUMNS = ("algorithm", "variant", "backend", "size", "width", "height", "threads", "status", "why",
           "verified", "samples", "kernel_ms_median", "kernel_ms_ci_low", "kernel_ms_ci_high",
           "device", "launches", "library")
LEAST_SAMPLES, MOST_SAMPLES, SECONDS = 5, 50, 0.2


class Missing(Exception):
    """A library or device that is not there."""


def load(module):
    try:
        return __import__(module)
    except ImportError as error:
        raise Missing(str(error)) from error


def sample(take):
    """Milliseconds, by calls of `take` that return one sample each."""
    samples, end = [], time.perf_counter() + SECONDS
    while len(samples) < LEAST_SAMPLES or (len(samples) < MOST_SAMPLES
                                           and time.perf_counter() < end):
        samples.append(take())
    return samples


def same(table, expected):
    """Of numbers modulo 2^32, the table's signed."""
    return bool((table.view(expected.dtype) == expected).all())


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return models[0] if models else ""


class Cpu:
    """OpenCV on a number of threads; 0: all processors."""
    backend, variant = "cpu", "opencv"

    def __init__(self, threads):
        self.threads = threads or len(os.sched_getaffinity(0))

    def open(self):
        self.cv2 = load("cv2")
        self.cv2.setNumThreads(self.threads)
        self.device, self.library = processor(), f"OpenCV {self.cv2.__version__}"

    def measure(self, image, expected):
        table = self.cv2.integral(image, sdepth=self.cv2.CV_32S)

        def take():
            begin = time.perf_counter()
            self.cv2.integral(image, table, self.cv2.CV_32S)
            return 1e3 * (time.perf_counter() - begin)

        return sample(take), same(table[1:, 1:], expected)


class Gpu:
    """`prepare` makes a function that queues one run, and one that says whether it was right."""
    backend, threads = "cuda", 0

    def open(self):
        self.torch = load("torch")
        if not self.torch.cuda.is_available():
            raise Missing("no CUDA device")
        self.device = self.torch.cuda.get_device_name()
        self.library = f"PyTorch {self.torch.__version__}"

    def measure(self, image, expected):
        cuda = self.torch.cuda
        run, is_right = self.prepare(self.torch.from_numpy(image).cuda(), expected)
        begin, end = (cuda.Event(enable_timing=True) for _ in range(2))
        run()
        cuda.synchronize()
        begin.record()
        host = time.perf_counter()
        run()
        host = time.perf_counter() - host
        end.record()
        end.synchronize()
        batch = max(1, min(50, int(1 / begin.elapsed_time(end))))
        held = int(min(4e9 * host * batch, 1e8)) + 100000  # clocks: twice what queueing takes

        def take():
            cuda._sleep(held)
            begin.record()
            for _ in range(batch):
                run()
            end.record()
            end.synchronize()
            return begin.elapsed_time(end) / batch

        return sample(take), is_right()


class Torch(Gpu):
    variant = "pytorch"

    def prepare(self, image, expected):
        torch = self.torch
        rows, table = (torch.empty(image.shape, dtype=torch.int32, device="cuda") for _ in "12")

        def run():
            torch.cumsum(image, 1, dtype=torch.int32, out=rows)
            torch.cumsum(rows, 0, dtype=torch.int32, out=table)

        return run, lambda: same(table.cpu().numpy(), expected)


class Copy(Gpu):
    variant = "copy"

    def prepare(self, image, _):
        source = self.torch.cat((image, image, image)).flatten()[:image.numel() * 5 // 2].clone()
        target = self.torch.zeros_like(source)
        return lambda: target.copy_(source), lambda: self.torch.equal(target, source)


class Size(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


class StreamContext(ctypes.Structure):
    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int),
                ("multiprocessors", ctypes.c_int), ("threads_of_multiprocessor", ctypes.c_int),
                ("threads_of_block", ctypes.c_int), ("shared_of_block", ctypes.c_size_t),
                ("major", ctypes.c_int), ("minor", ctypes.c_int), ("flags", ctypes.c_uint),
                ("workspace", ctypes.c_uint)]


class Npp(Gpu):
    variant = "npp"

    @staticmethod
    def find(name):
        """Of the CUDA toolkit, or of the package nvidia-npp."""
        folders = ("/usr/local/cuda/lib64", *(f"{folder}/nvidia/*/lib" for folder in sys.path))
        if "CUDA_HOME" in os.environ:
            folders = (os.environ["CUDA_HOME"] + "/lib64", *folders)
        found = [path for folder in folders
                 for path in sorted(glob.glob(f"{folder}/lib{name}.so.*"), key=len)]
        for path in [*found, f"lib{name}.so.13", f"lib{name}.so.12"]:
            try:
                return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
            except OSError:
                pass
        raise Missing(f"lib{name}.so is not found")

    def open(self):
        super().open()
        core, statistics_of_images = self.find("nppc"), self.find("nppist")
        core.nppGetLibVersion.restype = ctypes.POINTER(ctypes.c_int * 3)
        self.library = "NPP " + ".".join(map(str, core.nppGetLibVersion().contents))
        self.integral = statistics_of_images.nppiIntegral_8u32s_C1R_Ctx
        pointer, number = ctypes.c_void_p, ctypes.c_int
        self.integral.argtypes = [pointer, number, pointer, number, Size, number, StreamContext]

    def prepare(self, image, expected):
        torch = self.torch
        height, width = image.shape
        pitch = (width + 1 + 127) // 128 * 128  # entries: rows begin at 512 bytes, as NPP's own do
        table = torch.zeros((height + 1, pitch), dtype=torch.int32, device="cuda")
        facts = torch.cuda.get_device_properties(0)
        context = StreamContext(torch.cuda.current_stream().cuda_stream, 0,
                                facts.multi_processor_count, facts.max_threads_per_multi_processor,
                                1024, 49152, facts.major, facts.minor, 0, 0)

        def run():
            status = self.integral(image.data_ptr(), width, table.data_ptr(), 4 * pitch,
                                   Size(width, height), 0, context)
            if status != 0:
                raise RuntimeError(f"NPP returned {status}")

        return run, lambda: same(table[1:, 1:width + 1].cpu().numpy(), expected)


def row_of(peer, name, image, expected):
    """A row of the CSV. Whatever fails in one peer leaves the others alone."""
    row = {"algorithm": "integral", "variant": peer.variant, "backend": peer.backend, "size": name,
           "width": SIZES[name][0], "height": SIZES[name][1], "threads": peer.threads}
    try:
        peer.open()
        row.update(device=peer.device, library=peer.library)
        samples, right = peer.measure(image, expected)
        if not right:
            raise RuntimeError("its result is wrong")
    except Missing as error:
        return {**row, "status": "skip", "why": str(error)}
    except Exception as error:  # pylint: disable=broad-except
        return {**row, "status": "fail", "why": f"{type(error).__name__}: {error}"}
    return {**row, "status": "ok", "verified": "yes", "samples": len(samples),
            "kernel_ms_median": statistics.median(samples)}


def measure(sizes):
    """One launch: all peers at all sizes."""
    numpy = load("numpy")
    rows = []
    for name in sizes:
        width, height = SIZES[name]
        image = numpy.random.default_rng(1).integers(0, 256, (height, width), dtype=numpy.uint8)
        rows_first = numpy.cumsum(image, axis=1, dtype=numpy.uint32)
        expected = numpy.cumsum(rows_first, axis=0, dtype=numpy.uint32)
        rows += [row_of(peer, name, image, expected)
                 for peer in (Cpu(1), Cpu(0), Npp(), Torch(), Copy())]
    return rows


def merged(launches):
    """One row of those of all launches."""
    for row in launches:
        if row["status"] != "ok":
            return row
    medians = [row["kernel_ms_median"] for row in launches]
    row = {**launches[0], "launches": len(launches),
           "samples": sum(row["samples"] for row in launches),
           "kernel_ms_median": statistics.median(medians)}
    if len(launches) >= 6:  # the least and the greatest of fewer are no 95% interval
        row.update(kernel_ms_ci_low=min(medians), kernel_ms_ci_high=max(medians))
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("out", metavar="OUT.csv", help="the file to write")
    parser.add_argument("--sizes", default="480p,1080p,4K,8K,16K", help="%(default)s")
    parser.add_argument("--launches", type=int, default=6, help="processes (default: %(default)s)")
    parser.add_argument("--one-launch", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sizes = options.sizes.split(",")
    if unknown := [name for name in sizes if name not in SIZES]:
        parser.error(f"unknown size {unknown[0]} (known: {', '.join(SIZES)})")
    if options.one_launch:
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump(measure(sizes), file)
        return
    try:
        load("numpy")
    except Missing as error:
        sys.exit(f"{sys.argv[0]}: {error}")
    part, launches = options.out + ".part", []
    for _ in range(max(options.launches, 1)):
        subprocess.run([sys.executable, __file__, "--one-launch", "--sizes", options.sizes, part],
                       check=True)
        with open(part, encoding="utf-8") as file:
            launches.append(json.load(file))
    with open(part, "w", encoding="utf-8", newline="") as file:
        print(f"# started: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}",
              f"# arguments: {' '.join(sys.argv)}", sep="\n", file=file)
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(merged(rows) for rows in zip(*launches))
    os.replace(part, options.out)


if __name__ == "__main__":
    main()
