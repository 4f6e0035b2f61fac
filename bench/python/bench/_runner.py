"""The half of `bench run FILE.py` that is in Python. The program calls these functions, which answer in texts:
of those that do something "" is success; "skip: " and a reason means that it cannot be done here."""

from __future__ import annotations

import ast
import functools
import gc
import importlib.metadata
import importlib.util
import inspect
import io
import os
import platform
import sys
import time
import traceback
import types
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from . import _variants

_LIBRARIES = {"numpy": "numpy", "cupy": "cupy", "torch": "torch", "numba.cuda": "numba", "interface": ""}
_NAMED = ("numpy", "numba", "cupy", "torch", "triton")
_TYPE_NAMES = {"uint8": "|u1", "uint16": "<u2", "int16": "<i2", "int32": "<i4", "uint32": "<u4", "int64": "<i8",
               "uint64": "<u8", "float32": "<f4", "float64": "<f8"}
_SIGNED = {"uint16": "int16", "uint32": "int32", "uint64": "int64"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SLOW = 1.0  # seconds of an import that is made once for all launches


class _File:
    """A file with variants, those on the CPU first and the oracle before all."""

    def __init__(self, path: str, marks: _variants.Marks) -> None:
        self.path = path
        self.algorithm = marks.algorithm
        self.variants = sorted(marks.variants, key=lambda variant: (variant.device != "cpu", not variant.oracle,
                                                                    variant.peer is not None))
        self.called: Set[Tuple[Any, ...]] = set()


_files: Dict[int, _File] = {}  # by the program's numbers


class _Refused(Exception):
    """What is wrong with a file or an answer, in a line."""


# --- Errors --------------------------------------------------------------------------------------


def _short(path: str) -> str:
    whole, here = os.path.abspath(path), os.path.join(os.getcwd(), "")
    return whole[len(here):] if whole.startswith(here) else path


def _is_in(path: str, folders: Set[str]) -> bool:
    return path[:1] != "<" and os.path.dirname(os.path.abspath(path)) in folders


def _words_of(error: BaseException) -> str:
    try:
        return str(error.msg if isinstance(error, SyntaxError) else error).strip()
    except BaseException:  # of the person's own class
        return ""


def _explain(error: BaseException, otherwise: str = "") -> str:
    """An exception as a line with the last place in the person's own code: his file, or one beside it. `otherwise`
    stands for the place where there is none."""
    if isinstance(error, _Refused):
        return otherwise + str(error)
    if isinstance(error, SyntaxError) and error.filename:
        places = [(error.filename, error.lineno)]
    else:
        frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
        folders = {os.path.dirname(os.path.abspath(file.path)) for file in _files.values()}
        places = [place for place in frames if _is_in(place[0], folders)] or ([] if otherwise else frames)
    where = "".join(f"{_short(path)}:{line}: " for path, line in places[-1:]) or otherwise
    lines = _words_of(error).splitlines()
    text = f"{where}{type(error).__name__}" + (f": {lines[0]}" if lines else "")
    name = getattr(error, "name", None)
    if isinstance(error, ModuleNotFoundError) and name and not _is_there(name):
        text += f"; {_not_there(name)}"
    cannot = isinstance(error, NotImplementedError) or "memory" in type(error).__name__.lower()
    return ("skip: " if cannot else "") + text


# --- Modules of the program's own ----------------------------------------------------------------


def module(name: str, text: str) -> Any:
    """The module bench.NAME, made of its text once."""
    whole = "bench." + name
    if whole not in sys.modules:
        made = types.ModuleType(whole)
        made.__package__ = "bench"
        sys.modules[whole] = made
        exec(compile(text, f"bench/{name}.py", "exec"), made.__dict__)
    return sys.modules[whole]


# --- Forking ----------------------------------------------------------------------------------------


def _blas_threads() -> int:
    """The threads that OpenBLAS has started, which it ends before a fork."""
    import ctypes

    with io.open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = {line.split(maxsplit=5)[-1].strip() for line in maps if "openblas" in line}
    pools = {}  # by the address of the function, as liblapack finds that of libblas
    for library in map(ctypes.CDLL, filter(os.path.isfile, paths)):
        for name in ("openblas_get_num_threads", "openblas_get_num_threads64_", "scipy_openblas_get_num_threads",
                     "scipy_openblas_get_num_threads64_"):
            if hasattr(library, name):
                function = getattr(library, name)
                pools[ctypes.cast(function, ctypes.c_void_p).value] = function() - 1
                break
    return sum(pools.values())


def _may_fork() -> bool:
    """Whether a copy of this process is as good as itself: it has no threads of its own, and no device."""
    try:
        opened = [os.readlink("/proc/self/fd/" + number) for number in os.listdir("/proc/self/fd")
                  if os.path.exists("/proc/self/fd/" + number)]
        return (len(os.listdir("/proc/self/task")) <= 1 + _blas_threads()
                and not any(path.startswith("/dev/nvidia") for path in opened))
    except (ImportError, OSError):
        return False


# --- Loading -------------------------------------------------------------------------------------


def _import_arrays(marks: _variants.Marks) -> None:
    """Of the libraries whose arrays functions take. Whoever opens a variant is told why one cannot be imported."""
    for arrays in sorted({variant.arrays for variant in marks.variants if not _missing(variant)} - {"interface"}):
        try:
            importlib.import_module(arrays)
        except Exception:
            pass


def load(index: int, path: str, for_launches: int) -> str:
    """Runs the file. "ok" and a line for each of its tables' rows, or "error" and why there are none."""
    marks = _variants.begin()
    file = _files[index] = _File(path, marks)
    began = time.monotonic()
    try:
        folder, name = os.path.split(os.path.abspath(path))
        sys.path.insert(0, folder)
        name = os.path.splitext(name)[0]
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise _Refused("it cannot be imported")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        marks.variants += _left_out(path, marks)
        if for_launches:
            _import_arrays(marks)
        file = _files[index] = _File(path, marks)
        _check(file)
        gc.collect()
        gc.freeze()
        forks = time.monotonic() - began > _SLOW and _may_fork()
        return "\n".join(["ok", *_rows(file), _row("forks", int(forks))])
    except BaseException as error:  # sys.exit too
        why = _explain(error, f"{_short(path)}: ")
        del _files[index]
        return "error\t" + why


def _is_name(name: str, also: str) -> bool:
    return name[:1] in _LETTERS and 0 < len(name) <= 31 and all(c in _LETTERS + "0123456789" + also for c in name)


def _check(file: _File) -> None:
    if not file.variants:
        raise _Refused("no function is marked as a variant; put @bench.variant above each")
    first = file.variants[0]
    if first.peer is not None and first.device == "cpu":
        raise _Refused("every variant on the CPU is a peer, and their answers are compared with one of your own; "
                       "mark a function with @bench.variant")
    if first.device != "cpu":
        raise _Refused("no variant runs on the CPU, and the answers of the others are compared with one that does; "
                       "mark a function with @bench.variant")
    oracles = [variant.name for variant in file.variants if variant.oracle]
    if len(oracles) > 1 or oracles and not first.oracle:
        raise _Refused(f"the oracle is one function on the CPU, and {', '.join(oracles)} is marked as such")
    names = [variant.name for variant in file.variants]
    for variant in file.variants:
        if not _is_name(variant.name, "_"):
            raise _Refused(f"'{variant.name}' cannot be the name of a variant; small letters, digits and _ would be "
                           "right, as in @bench.variant(name=\"fast\")")
        if names.count(variant.name) > 1:
            raise _Refused(f"two variants have the name '{variant.name}'")
        for name in (*variant.tuning, *file.algorithm.parameters):
            if not _is_name(_option(name), "-"):
                raise _Refused(f"'{name}' cannot be an option; small letters, digits and _ would be right")


def _option(keyword: str) -> str:
    return keyword.replace("_", "-")


def _clean(text: str) -> str:
    return " ".join(text.split())


def _row(*fields: Any) -> str:
    return "\t".join(str(field) for field in fields)


def _axes(kind: str, axes: Mapping[str, Sequence[int]]) -> List[str]:
    return [_row(kind, _option(name), ",".join(map(str, values))) for name, values in axes.items()]


def _missing(variant: _variants.Variant) -> str:
    library = _LIBRARIES[variant.arrays]
    absent = [name for name in (library, variant.peer) if name and not _is_there(name)]
    return variant.missing or (_not_there(absent[0]) if absent else "")


def _version(library: str) -> str:
    """Of a library that may not be loaded yet; "" where it does not say."""
    loaded = sys.modules.get(library)
    try:
        return str(getattr(loaded, "__version__", "")) or importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _peer(variant: _variants.Variant) -> List[str]:
    """The fields of a row that say what a peer is."""
    if variant.peer is None:
        return ["", "", "", "0"]
    version = "" if _missing(variant) else _version(variant.peer)
    return [_clean(variant.peer), _clean(version), _clean(variant.difference or ""), str(variant.agreement)]


def _is_there(library: str) -> bool:
    return library in sys.modules or importlib.util.find_spec(library.partition(".")[0]) is not None


def _not_there(library: str) -> str:
    if _is_there(library):
        return f"{library} cannot be imported by {sys.executable}: import it there to see why"
    return (f"{library.partition('.')[0]} is not installed for {sys.executable}: install it there, or activate an "
            "environment that has it")


# --- What guarded imports leave out ---------------------------------------------------------------


def _imported(node: ast.AST) -> List[Tuple[str, str]]:
    """The names that an import binds, each with its module."""
    if isinstance(node, ast.Import):
        return [(alias.asname or alias.name.partition(".")[0], alias.name) for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [(alias.asname or alias.name, node.module) for alias in node.names]
    return []


def _names(node: ast.AST) -> Set[str]:
    return {found.id for found in ast.walk(node) if isinstance(found, ast.Name)}


def _functions(node: ast.AST, tested: Set[str]) -> Iterator[Tuple[ast.FunctionDef, Set[str]]]:
    """Functions outside of others, each with the names that it and the conditions around it use."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child, tested | _names(child)
        else:
            yield from _functions(child, tested | (_names(child.test) if isinstance(child, ast.If) else set()))


def _mark_of(function: ast.FunctionDef) -> Optional[Dict[str, Any]]:
    """The constants that @bench.variant is called with."""
    for mark in function.decorator_list:
        called = mark.func if isinstance(mark, ast.Call) else mark
        if getattr(called, "attr", getattr(called, "id", "")) == "variant":
            given = [*zip(["arrays"], mark.args), *((word.arg, word.value) for word in mark.keywords)] \
                if isinstance(mark, ast.Call) else []
            return {str(key): value.value for key, value in given if isinstance(value, ast.Constant)}
    return None


def _never_called() -> None:
    """In the place of a function that is not there."""


def _left_out(path: str, marks: _variants.Marks) -> List[_variants.Variant]:
    """Marked functions that the file has not defined since a library is not there. They are skipped."""
    with io.open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    absent = {name: module for node in ast.walk(tree) for name, module in _imported(node) if module not in sys.modules}
    known = {variant.name for variant in marks.variants}
    found = []
    for function, used in _functions(tree, set()) if absent else ():
        mark = _mark_of(function)
        name = str((mark or {}).get("name", function.name))
        if mark is not None and name not in known:
            arrays = str(mark.get("arrays", "numpy"))
            needed = sorted({absent[word] for word in used if word in absent}) or sorted(set(absent.values()))
            summary = (ast.get_docstring(function) or "the function " + function.name).splitlines()[0].rstrip(".")
            found.append(_variants.Variant(
                _never_called, name, arrays, str(mark.get("device", _variants.ARRAYS.get(arrays, "cpu"))), False,
                mark.get("improves_on"), False, {}, summary, _not_there(needed[0]), mark.get("peer"),
                mark.get("difference"), float(mark.get("agreement", 0))))
    return found


def _rows(file: _File) -> List[str]:
    algorithm = file.algorithm
    rows = [_row("algorithm", _clean(algorithm.summary), algorithm.dtype, algorithm.absolute, algorithm.relative,
                 algorithm.ulp, algorithm.operations, algorithm.input, algorithm.images, int(algorithm.array)),
            *_axes("parameter", algorithm.parameters)]
    for variant in file.variants:
        rows.append(_row("variant", variant.name, variant.device, _clean(variant.summary), variant.improves_on or "",
                         int(variant.threads), _missing(variant), *_peer(variant)))
        rows.extend(_axes("tuning", variant.tuning))
    versions = [f"{name} {getattr(sys.modules[name], '__version__', '?')}" for name in _NAMED if name in sys.modules]
    rows.append(_row("with", ", ".join([f"Python {platform.python_version()}", *versions])))
    return rows


def _sides(algorithm: _variants.Algorithm, height: int, width: int) -> Tuple[int, ...]:
    """Of the input, as functions get it."""
    return (height * width,) if algorithm.array else (height, width)


def shape(index: int, height: int, width: int) -> str:
    """"HEIGHT WIDTH" of the answer, or "error" and why."""
    try:
        algorithm = _files[index].algorithm
        given, usual = algorithm.shape, _sides(algorithm, height, width)
        sides = tuple(int(side) for side in (given(*usual) if callable(given) else given or usual))
        if not 1 <= len(sides) <= 2 or min(sides) < 1:
            return f"error\tthe shape of the answer is {sides}; one or two numbers from 1 on would be right"
        return _row(*((1, *sides) if len(sides) == 1 else sides))
    except Exception as error:
        return "error\t" + _explain(error)


# --- Arrays --------------------------------------------------------------------------------------


class Memory:
    """Memory of the program's, as libraries take it over: by __array_interface__ of the host's,
    by __cuda_array_interface__ of a device's."""

    def __init__(self, address: int, sides: Tuple[int, ...], dtype: str, device: str, strides: Any = None,
                 readonly: bool = False) -> None:
        interface = {"shape": sides, "typestr": _TYPE_NAMES[dtype], "data": (address, readonly), "strides": strides,
                     "version": 3}
        setattr(self, "__array_interface__" if device == "cpu" else "__cuda_array_interface__", interface)


def _on_its_device(memory: Memory, address: int) -> Any:
    """PyTorch copies an array unless it is told the device on which that lies."""
    import torch

    for number in (torch.cuda.current_device(), *range(torch.cuda.device_count())):
        tensor = torch.as_tensor(memory, device=f"cuda:{number}")
        if tensor.data_ptr() == address:
            torch.cuda.set_device(number)
            return tensor
    raise _Refused("PyTorch takes no memory of this device over")


def _torch_tensor(address: int, sides: Tuple[int, ...], dtype: str, device: str, strides: Any) -> Any:
    """PyTorch takes over signed numbers, which it then sees as they are."""
    import torch

    memory = Memory(address, sides, _SIGNED.get(dtype, dtype), device, strides)
    if device == "cuda":
        tensor = _on_its_device(memory, address)
    else:
        import numpy

        tensor = torch.from_numpy(numpy.asarray(memory))
    return tensor.view(getattr(torch, dtype)) if dtype in _SIGNED and hasattr(torch, dtype) else tensor


def _array(arrays: str, address: int, sides: Tuple[int, ...], dtype: str, device: str, strides: Any = None,
           readonly: bool = False) -> Any:
    if arrays == "torch":
        return _torch_tensor(address, sides, dtype, device, strides)
    memory = Memory(address, sides, dtype, device, strides, readonly)
    if arrays == "numpy":
        import numpy

        return numpy.asarray(memory)
    if arrays == "cupy":
        import cupy

        array = cupy.asarray(memory)
        array.device.use()
        return array
    if arrays == "numba.cuda":
        from numba import cuda

        return cuda.as_cuda_array(memory)
    return memory


def _stream(arrays: str, address: int) -> Any:
    """The program's stream as the library has it, which makes it the current one where it has such."""
    if arrays == "cupy":
        import cupy

        stream = cupy.cuda.ExternalStream(address)
        stream.use()
        return stream
    if arrays == "torch":
        import torch

        stream = torch.cuda.ExternalStream(address)
        torch.cuda.set_stream(stream)
        return stream
    if arrays == "numba.cuda":
        from numba import cuda

        return cuda.external_stream(address)
    return address


# --- States --------------------------------------------------------------------------------------


class State:
    """One variant at one point, with its input and its answer. `run` is the timed work."""

    def __init__(self, call: Callable[[], Any], out: Any, file: _File, key: Tuple[Any, ...]) -> None:
        self._call, self._out, self._file, self._key = call, out, file, key

    def run(self) -> str:
        try:
            answer = self._call()
            if answer is not None and answer is not self._out:
                self._take(answer)
        except _Refused as error:
            return str(error)
        except BaseException as error:  # a call with parameters that are not the function's has no place in the file
            return _explain(error, f"{_short(self._file.path)}: ")
        return ""

    def _take(self, answer: Any) -> None:
        """A function may return its answer instead of writing it."""
        got, wanted = getattr(answer, "shape", None), self._out.shape
        if got is not None and tuple(got) != tuple(wanted):
            raise _Refused(f"it returned an answer of the shape {tuple(got)}; {tuple(wanted)} would be right")
        try:
            self._out[...] = answer
        except (TypeError, ValueError) as error:
            if got is not None:
                raise
            raise _Refused(f"it returned what is no array, of the type {type(answer).__name__}: {error}") from error

    def is_new(self) -> str:
        """"yes" before the first call for these sides and this point, in which libraries compile."""
        return "" if self._key in self._file.called else "yes"

    def first_run(self) -> str:
        self._file.called.add(self._key)
        return self.run()


def _numbers(point: str) -> Dict[str, int]:
    """Of "radius:2,block-side:16"."""
    pairs = (word.split(":", 1) for word in point.split(",") if word)
    return {name.replace("-", "_"): int(value) for name, value in pairs}


def _wants_stream(function: Callable[..., Any]) -> bool:
    try:
        return "stream" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def open(file_index: int, variant_index: int, address: int, stride: int, second_address: int, second_stride: int,
         height: int, width: int, out_address: int, out_height: int, out_width: int, answer: str, tuning: str,
         stream: int) -> Any:
    """The state, or the text of an error. `second_address` is 0 of functions that take one image."""
    try:
        file = _files[file_index]
        variant = file.variants[variant_index]
        algorithm = file.algorithm
        flat = algorithm.array or algorithm.shape is not None
        sides = (out_width,) if flat and out_height == 1 else (out_height, out_width)
        dtype = file.algorithm.input
        size = int(_TYPE_NAMES[dtype][2:])
        images = [(address, stride), (second_address, second_stride)][:file.algorithm.images]
        dense = [stride == width * size for _, stride in images]
        arrays = [_array(variant.arrays, start, _sides(algorithm, height, width), dtype, variant.device,
                         None if stride == width * size else (stride, size),
                         variant.device == "cpu" and variant.arrays == "numpy") for start, stride in images]
        out = _array(variant.arrays, out_address, sides, file.algorithm.dtype, variant.device)
        keywords: Dict[str, Any] = {**_numbers(answer), **_numbers(tuning)}
        key = (variant_index, height, width, *dense, *sorted(keywords.items()))
        if variant.device == "cuda":
            current = _stream(variant.arrays, stream)
            if _wants_stream(variant.function):
                keywords["stream"] = current
        return State(functools.partial(variant.function, *arrays, out, **keywords), out, file, key)
    except BaseException as error:
        return _explain(error) or "an exception"
