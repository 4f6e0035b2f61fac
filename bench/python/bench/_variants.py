"""Marks of the functions that `bench run FILE.py` measures. The marks do nothing by themselves: marked
functions can be called as before, and a file with them can be imported anywhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, TypeVar, Union, overload

_Function = TypeVar("_Function", bound=Callable[..., Any])
# The callable gets height and width of the image, or of an array the number of its elements.
Shape = Union[Sequence[int], Callable[..., Sequence[int]]]

# Whose arrays a function takes, and where they lie unless `device` says otherwise.
ARRAYS = {"numpy": "cpu", "cupy": "cuda", "torch": "cuda", "numba.cuda": "cuda", "interface": "cuda"}
TYPES = ("uint8", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")


@dataclass(frozen=True)
class Variant:
    """What a mark says of a function."""

    function: Callable[..., Any]
    name: str
    arrays: str
    device: str
    oracle: bool
    improves_on: Optional[str]
    threads: bool
    tuning: Mapping[str, Sequence[int]]
    summary: str
    missing: str = ""
    peer: Optional[str] = None
    difference: Optional[str] = None
    agreement: float = 0.0


@dataclass(frozen=True)
class Algorithm:
    """What a file says of its algorithm."""

    summary: str = "an algorithm in Python"
    dtype: str = "uint8"
    shape: Optional[Shape] = None
    absolute: float = 0.0
    relative: float = 0.0
    ulp: int = 0
    operations: float = 1.0
    input: str = "uint8"
    images: int = 1
    array: bool = False
    parameters: Mapping[str, Sequence[int]] = field(default_factory=dict)


@dataclass
class Marks:
    """The marks of a file in their order."""

    variants: List[Variant] = field(default_factory=list)
    algorithm: Algorithm = field(default_factory=Algorithm)


marks = Marks()


def begin() -> Marks:
    """The marks of the file that is run from now on."""
    global marks
    marks = Marks()
    return marks


def _first_line(function: Callable[..., Any], name: str) -> str:
    lines = (function.__doc__ or "").strip().splitlines()
    return lines[0].rstrip(".") if lines else "the function " + name


def _whole_numbers(axes: Optional[Mapping[str, Sequence[int]]]) -> Dict[str, Sequence[int]]:
    for name, values in (axes or {}).items():
        if not values or not all(isinstance(value, int) and value >= 0 for value in values):
            raise ValueError(f"the values of {name!r} are {values!r}; a list of whole numbers from 0 on would be right")
    return {name: list(values) for name, values in (axes or {}).items()}


@overload
def variant(arrays: _Function) -> _Function: ...


@overload
def variant(arrays: str = "numpy", *, device: Optional[str] = None, name: Optional[str] = None,
            oracle: bool = False, improves_on: Optional[str] = None, threads: bool = False,
            tuning: Optional[Mapping[str, Sequence[int]]] = None, peer: Optional[str] = None,
            difference: Optional[str] = None, agreement: float = 0.0) -> Callable[[_Function], _Function]: ...


def variant(arrays: Any = "numpy", *, device: Optional[str] = None, name: Optional[str] = None,
            oracle: bool = False, improves_on: Optional[str] = None, threads: bool = False,
            tuning: Optional[Mapping[str, Sequence[int]]] = None, peer: Optional[str] = None,
            difference: Optional[str] = None, agreement: float = 0.0) -> Any:
    """Marks a function `f(image, out)` as a variant, which fills `out`, or returns the answer.

    arrays: whose arrays it takes: "numpy" on the CPU; "cupy", "torch", "numba.cuda" on the GPU;
        "interface": objects with __cuda_array_interface__ alone.
    device: "cpu" or "cuda", where that is not what `arrays` says: PyTorch on the CPU.
    name: the variant's name; without it the function's.
    oracle: the answers of the others are compared with this one's. Without it: the first NumPy variant.
    improves_on: the variant that this one is an improvement of.
    threads: it works on several processors, and has the keyword `threads`.
    tuning: its keywords with the values to try, {"block": [128, 256]}: whole numbers that change the speed,
        never the answer. Each is an option of the command line as well.
    peer: the library that it calls, by the name that Python imports: other people's code, which one would take
        instead. It is measured with --peers or where --variants names it, and is never the best CPU or GPU.
    difference: of a peer: in what it computes something else. Then its answer is right where the share of elements
        that are equal to the oracle's is at least `agreement`.

    A keyword `stream` of the function is given the stream that the clock watches.
    """
    if callable(arrays):
        return variant()(arrays)
    if arrays not in ARRAYS:
        raise ValueError(f"arrays is {arrays!r}; one of {', '.join(ARRAYS)} would be right")
    where = device or ARRAYS[arrays]
    if where not in ("cpu", "cuda") or (where == "cpu") != (arrays == "numpy") and arrays != "torch":
        raise ValueError(f"arrays of {arrays} are not on the device {where!r}")
    if peer is None and difference is not None or difference is None and agreement:
        raise ValueError("difference is of a peer, and agreement of a difference")
    if not 0 <= agreement <= 1:
        raise ValueError(f"agreement is {agreement!r}; a share from 0 to 1 would be right")
    if peer is not None and not all(part.isidentifier() for part in peer.split(".")):
        raise ValueError(f"peer is {peer!r}; the name that Python imports would be right, such as 'cv2'")
    if peer is not None and (oracle or improves_on):
        raise ValueError("a peer is neither the oracle nor an improvement of a variant")
    values = _whole_numbers(tuning)

    def mark(function: _Function) -> _Function:
        named = str(name or getattr(function, "__name__", type(function).__name__))
        marks.variants.append(Variant(function, named, arrays, where, oracle, improves_on, threads, values,
                                      _first_line(function, named), "", peer, difference, agreement))
        return function

    return mark


def algorithm(*, summary: str = "an algorithm in Python", dtype: str = "uint8",
              shape: Optional[Shape] = None, absolute: float = 0.0, relative: float = 0.0, ulp: int = 0,
              operations: float = 1.0, input: str = "uint8", images: int = 1, array: bool = False,
              parameters: Optional[Mapping[str, Sequence[int]]] = None) -> None:
    """Says what the variants of this file compute, where that is not an image of the input's size. The file's
    name is the algorithm's.

    summary: a line for `bench list`.
    dtype: of the answer, as NumPy names it: "uint8", "float32".
    shape: of the answer: (256,), or a function of height and width. Without it the image's. Of an array it is a
        function of the number of elements.
    absolute, relative, ulp: how far an element may be from the oracle's: by `absolute`, or by `relative` times the
        oracle's, or with at most `ulp` numbers of its type between. Without them every byte must be equal.
    operations: the least arithmetic operations of a pixel, for the roof.
    input: the type of the image's pixels, likewise. White is 255 as "uint8", 65535 as "uint16", and 1 as
        "float32" and "float64". Other types have the levels of the file; numbers of PFM and NPY files stay.
    images: 2 for functions f(image, second, out) of two images of one size.
    array: True for functions f(values, out) of an array in one dimension, as is the answer: the numbers of a NPY
        file, or the pixels of an image one after the other.
    parameters: keywords of every variant that change the answer, {"radius": [1, 2]}: whole numbers. Each is an
        option of the command line as well.
    """
    for keyword, value in (("dtype", dtype), ("input", input)):
        if value not in TYPES:
            raise ValueError(f"{keyword} is {value!r}; one of {', '.join(TYPES)} would be right")
    if images not in (1, 2):
        raise ValueError(f"images is {images!r}; 1 or 2 would be right")
    if min(absolute, relative, ulp) < 0:
        raise ValueError("a tolerance is negative; 0 or more would be right")
    marks.algorithm = Algorithm(summary, dtype, shape, absolute, relative, ulp, operations, input, images,
                                bool(array), _whole_numbers(parameters))
