"""A stand-in for what peers of NPP call of PyTorch, by NumPy on the host."""
import types

import numpy

uint8, int32, float32 = numpy.uint8, numpy.int32, numpy.float32


class Tensor(numpy.ndarray):
    def copy_(self, other):
        self[...] = other

    def data_ptr(self):
        return self.ctypes.data

    def round_(self):
        return numpy.rint(self, out=self)

    def long(self):
        return self.astype(numpy.int64)

    def square_(self):
        self *= self
        return self


def from_numpy(array):
    return array.view(Tensor)


def empty(shape, dtype, device):
    return numpy.full(shape, 77, dtype).view(Tensor)


def zeros(shape, dtype, device):
    return numpy.zeros(shape, dtype).view(Tensor)


cuda = types.SimpleNamespace(
    set_stream=lambda stream: None, ExternalStream=lambda stream: stream, current_device=lambda: 0,
    get_device_properties=lambda device: types.SimpleNamespace(
        multi_processor_count=132, max_threads_per_multi_processor=2048, major=9, minor=0))
