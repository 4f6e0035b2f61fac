"""NPP, the NVIDIA Performance Primitives, called without a module of Python, in memory of PyTorch's."""
import ctypes
import glob
import os
import sys


class Size(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


class Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int)]


class Context(ctypes.Structure):  # NppStreamContext
    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int), ("multiprocessors", ctypes.c_int),
                ("threads_of_multiprocessor", ctypes.c_int), ("threads_of_block", ctypes.c_int),
                ("shared_of_block", ctypes.c_size_t), ("major", ctypes.c_int), ("minor", ctypes.c_int),
                ("flags", ctypes.c_uint), ("workspace", ctypes.c_uint)]


def context(torch, stream):
    facts = torch.cuda.get_device_properties(torch.cuda.current_device())
    return Context(stream, torch.cuda.current_device(), facts.multi_processor_count,
                   facts.max_threads_per_multi_processor, 1024, 49152, facts.major, facts.minor, 0, 0)


def _load(name):
    """Of the CUDA toolkit, or of the package nvidia-npp."""
    folders = (os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/lib64",
               *(f"{folder}/nvidia/*/lib" for folder in sys.path))
    found = [path for folder in folders for path in sorted(glob.glob(f"{folder}/lib{name}.so.*"), key=len)]
    for path in [*found, f"lib{name}.so.13", f"lib{name}.so.12"]:
        try:
            return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            pass
    raise NotImplementedError(f"lib{name}.so is not found: 'pip install nvidia-npp', or the CUDA toolkit has it")


def function(library, name, *arguments):
    """The function of a library, and the version of NPP."""
    core = _load("nppc")
    core.nppGetLibVersion.restype = ctypes.POINTER(ctypes.c_int * 3)
    found = getattr(_load(library), name)
    found.argtypes = arguments
    return found, ".".join(map(str, core.nppGetLibVersion().contents))
