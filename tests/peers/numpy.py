"""A stand-in for NumPy that can copy images and nothing else, so that no library is needed to test how peers are
called. FAKE says what is wrong with it: "wrong" answers, one that is "unable", an "error"."""
import ctypes
import os

__version__ = "9.9.9"


class Array:
    """Rows of bytes at an address."""

    dtype = "uint8"

    def __init__(self, address, shape, stride, kept=None):
        self.address, self.shape, self.stride, self.kept = address, shape, stride, kept

    def take(self, other):
        for row in range(self.shape[0]):
            ctypes.memmove(self.address + row * self.stride, other.address + row * other.stride, self.shape[1])

    def __setitem__(self, where, other):
        self.take(other)


def asarray(memory):
    facts = memory.__array_interface__
    shape = facts["shape"]
    return Array(facts["data"][0], shape, facts["strides"][0] if facts["strides"] else shape[1])


def empty(shape, _):
    memory = ctypes.create_string_buffer(shape[0] * shape[1])
    return Array(ctypes.addressof(memory), shape, shape[1], memory)


def copyto(target, source):
    fault = os.environ.get("FAKE", "")
    if fault == "unable":
        raise NotImplementedError("not this size")
    if fault == "error":
        raise ValueError("boom")
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        raise ValueError("on more than one thread")
    target.take(source)
    if fault == "wrong":
        ctypes.memset(target.address, 77, 1)
