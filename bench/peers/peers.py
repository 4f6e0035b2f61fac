"""The half of peers.c that is in Python: what a library is given to compute, and how it is called.

Each <algorithm>.py has a function for each peer, which prepares what is not timed and returns Calls. Functions that
the program calls answer in texts, as those of _runner do.
"""
import importlib
import importlib.metadata
import importlib.util
import os
import sys
import types

from . import _runner

_modules = {}  # of algorithms, by their names
_streams = {}  # that are in use, by libraries
_everywhere = set()  # the processors of the process, before a thread of it was bound


class Calls:
    """What is called of a peer: `run` is timed. `download` writes the answer where the program has it, which is timed
    on a device, as `upload` is; on the CPU it is not, so that a library's own form of an answer costs it nothing."""

    def __init__(self, run, download, upload=None):
        self.call, self.bring, self.send = run, download, upload
        self.version = ""

    def run(self):
        return _said(self.call)

    def upload(self):
        return _said(self.send) if self.send else ""

    def download(self):
        return _said(self.bring)


def _said(call):
    try:
        call()
    except BaseException as error:
        return _runner._explain(error) or "an exception"
    return ""


class Work:
    """What is to be computed: arrays of the program's memory by name, and the points.

    `arrays` has "image" and what else the workload has, `out` the parts of the answer. `answer` and `tuning` have the
    texts of their values; `stream` is the device's, 0 on the CPU.
    """

    def __init__(self, arrays, facts, answer, tuning, stream):
        self.arrays, self.out, self.facts = {}, {}, {}
        for line in arrays.splitlines():
            name, kind, address, rows, columns, stride = line.split("\t")
            array = _array(kind, int(address), int(rows), int(columns), int(stride),
                           stream == 0 and not name.startswith("out."))
            if name.startswith("out."):
                self.out[name[4:]] = array
            else:
                self.arrays[name] = array
        self.facts = dict(line.split("\t") for line in facts.splitlines())
        self.answer, self.tuning = _values(answer), _values(tuning)
        self.threads = int(self.tuning.get("threads", 1))
        self.stream = stream

    @property
    def image(self):
        return self.arrays["image"]


def _values(point):
    return dict(word.split(":", 1) for word in point.split(",") if word)


def _array(kind, address, rows, columns, stride, readonly):
    import numpy

    if rows == 0 or columns == 0:
        return numpy.empty((rows, columns), numpy.dtype(_runner._TYPE_NAMES[kind]))
    size = int(_runner._TYPE_NAMES[kind][2:])
    strides = None if stride == columns * size else (stride, size)
    return numpy.asarray(_runner.Memory(address, (rows, columns), kind, "cpu", strides, readonly))


# --- Inputs --------------------------------------------------------------------------------------


def dense(source):
    """The array as libraries take it, without bytes between its rows, and what makes it the source's again. That is
    part of the time: the source may be another at each run."""
    import numpy

    mine = numpy.ascontiguousarray(source)
    if numpy.shares_memory(mine, source):
        return mine, lambda: None

    def refresh():
        mine[...] = source

    return mine, refresh


def opencv_keypoints(work, part):
    """The keypoints as cv2.KeyPoint, whose class_id is their place; those without an angle have 0. `part` is that of
    a patch's side which the library calls a keypoint's size."""
    import cv2

    scale, many = float(work.answer["scale"]), int(work.answer["keypoints"])
    rows = work.arrays["keypoints"][:many] if many > 0 else []
    return [cv2.KeyPoint(float(x), float(y), float(part * scale * size), max(float(angle), 0.0), 1.0, 0, place)
            for place, (x, y, size, angle) in enumerate(rows)]


def descriptors(work, describe, part=1.0):
    """Calls of OpenCV, for which `describe` makes keypoints and rows of a list of keypoints. Those that it leaves
    out have zeros. `part`: see opencv_keypoints."""
    keypoints, threads, found = opencv_keypoints(work, part), work.threads, {}
    image, refresh = dense(work.image)

    def run():
        opencv_threads(threads)
        refresh()
        found["keypoints"], found["rows"] = describe(image, keypoints) if keypoints else ([], None)

    def download():
        out = work.out["descriptors"]
        out[...] = 0
        for keypoint, row in zip(found["keypoints"], [] if found["rows"] is None else found["rows"]):
            out[keypoint.class_id] = row

    return Calls(run, download)


_MOST_SECONDS = 5  # of a call: a run makes three or more of them, a launch as many again


def within(seconds):
    """Refuses a call that is expected to take too long, where a processor is as fast as one of 2023."""
    if seconds > _MOST_SECONDS:
        raise NotImplementedError(f"a call would take about {seconds:.0f} seconds; {_MOST_SECONDS} are the most")


# --- Threads -------------------------------------------------------------------------------------


def spread(start):
    """Calls what starts a library's threads, which see all processors, wherever this one is bound."""
    bound = os.sched_getaffinity(0)
    os.sched_setaffinity(0, _everywhere)
    try:
        start()
    finally:
        os.sched_setaffinity(0, bound)


def opencv_threads(threads):
    """On how many threads OpenCV computes from here on. Those that it starts for it do not start on the clock."""
    import cv2
    import numpy

    if cv2.getNumThreads() != threads:
        cv2.setNumThreads(threads)
        spread(lambda: cv2.cvtColor(numpy.zeros((1024, 1024), numpy.uint8), cv2.COLOR_GRAY2BGR))


def torch_on(stream):
    """PyTorch, whose work goes to the program's stream from here on."""
    import torch

    torch.cuda.set_stream(torch.cuda.ExternalStream(stream))
    return torch


def cupy_on(stream):
    """CuPy, likewise, which forgets a stream that nothing refers to."""
    import cupy

    _streams["cupy"] = cupy.cuda.ExternalStream(stream)
    _streams["cupy"].use()
    return cupy


# --- Loading -------------------------------------------------------------------------------------


def settle(folder):
    """Packages that `bench peers --install` has installed for this Python come first, unless BENCH_PYTHON names one
    that has its own."""
    _everywhere.update(os.sched_getaffinity(0))
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # of NumPy and SciPy: their peers are those of one thread
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    path = os.path.join(folder, "lib", name, "site-packages")
    if folder and os.path.isdir(path):
        sys.path.insert(0, path)
    return ""


def take(name, text):
    """The module of an algorithm."""
    module = types.ModuleType("bench._peers_of_" + name)
    module.__package__ = "bench"
    sys.modules[module.__name__] = module
    _modules[name] = module
    exec(compile(text, f"bench/peers/{name}.py", "exec"), module.__dict__)
    return ""


_SAME_MODULE = {"faiss-cpu": ("faiss-gpu",),
                "opencv-contrib-python-headless": ("opencv-contrib-python", "opencv-python-headless", "opencv-python")}


def installed(module, package):
    """"VERSION" of a library that is there, else ""; it is not loaded. Where Python itself has the module, the package
    is what may be absent."""
    try:
        there = module in sys.modules or importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        there = False
    if not there:
        return ""
    for name in (package, *_SAME_MODULE.get(package, ())):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pass
    return "" if module in sys.stdlib_module_names else _version(sys.modules.get(module)) or "?"


def _version(module):
    return str(getattr(module, "__version__", ""))


def open(algorithm, name, module, package, arrays, facts, answer, tuning, stream):
    """Calls, or the text of an error."""
    try:
        version = _version(importlib.import_module(module)) or installed(module, package)
        calls = getattr(_modules[algorithm], name)(Work(arrays, facts, answer, tuning, stream))
        calls.version = calls.version or version
        return calls
    except BaseException as error:
        return _runner._explain(error) or "an exception"
