"""NumPy in CuPy's place: arrays of the host, which is the emulated device."""
import types

import numpy
from numpy import *  # noqa: F403

__version__ = "0.0.0"


class Array(numpy.ndarray):
    def set(self, source):
        self[...] = source

    def get(self, out=None):
        if out is None:
            return numpy.array(self)
        out[...] = self
        return out


def _wrapped(function):
    return lambda *given, **named: function(*given, **named).view(Array)


empty, zeros, where, bincount = map(_wrapped, (numpy.empty, numpy.zeros, numpy.where, numpy.bincount))


class Stream:
    def __init__(self, pointer):
        self.pointer = pointer

    def use(self):
        assert self.pointer != 0


cuda = types.SimpleNamespace(ExternalStream=Stream)
