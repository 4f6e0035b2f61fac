#!/usr/bin/env python3
"""usage: test_npp.py LIBRARY

Peers that call NPP are right for awkward sizes, with stand-ins for NPP (LIBRARY, npp.c) and PyTorch (torch.py).
"""
import os
import sys
import tempfile
import types

try:
    import numpy
except ImportError:
    print("skipped: needs NumPy")
    sys.exit(77)

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "bench", "peers")
SIZES = ((1, 1), (1, 7), (9, 1), (5, 4), (48, 64), (33, 131), (3, 128))


def check(is_right, what):
    if not is_right:
        sys.exit(f"wrong: {what}")


def module(name, file):
    made = types.ModuleType("bench." + name)
    made.__package__ = "bench"
    sys.modules[made.__name__] = made
    setattr(sys.modules["bench"], name, made)
    with open(os.path.join(SOURCES, file), encoding="utf-8") as source:
        exec(compile(source.read(), file, "exec"), made.__dict__)
    return made


def called(make, image, out, **answer):
    work = types.SimpleNamespace(image=image, out=out, answer=answer, threads=1, stream=16)
    calls = make(work)
    check(calls.version == "13.2.7", calls.version)
    for step in (calls.upload, calls.run, calls.download):
        check(step() == "", step)


def refuses(make, image, reason, **answer):
    try:
        make(types.SimpleNamespace(image=image, out={"table": numpy.empty((1, 1), numpy.uint32)}, answer=answer, threads=1,
                                   stream=16))
    except NotImplementedError as error:
        check(reason in str(error), error)
    else:
        check(False, f"not refused: {reason}")


def table_of(image):
    return numpy.pad(image.astype(numpy.int64).cumsum(0).cumsum(1), ((1, 0), (1, 0)))


def integral_is_right(make, image):
    table = numpy.full([side + 1 for side in image.shape], 99, numpy.uint32)
    called(make, image, {"table": table}, sum="32")
    check((table == table_of(image)).all(), f"integral of {image.shape}")


def lacunarity_is_right(make, image):
    boxes, rows = sorted({1, (min(image.shape) + 1) // 2, min(image.shape)}), []
    for threshold in (128, 0):
        table = table_of(image >= threshold)
        for box in boxes:
            masses = table[box:, box:] - table[:-box, box:] - table[box:, :-box] + table[:-box, :-box]
            rows.append((threshold, box, masses.size, masses.sum(), (masses * masses).sum(), 0))
    curve = numpy.full((len(rows), 6), 99, numpy.uint64)
    called(make, image, {"curve": curve}, threshold="128+0", box="+".join(map(str, boxes)))
    check((curve == numpy.array(rows, numpy.uint64)).all(), f"lacunarity of {image.shape}")


def main():
    sys.modules["bench"] = types.ModuleType("bench")
    sys.modules["bench"]._runner = types.SimpleNamespace(_explain=repr)
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "lib64"))
        for name in ("nppc", "nppist", "nppif"):
            os.symlink(os.path.abspath(sys.argv[1]), os.path.join(folder, "lib64", f"lib{name}.so.13"))
        os.environ["CUDA_HOME"] = folder
        module("_peers", "peers.py")
        module("_peers_of_npp", "npp.py")
        integral, lacunarity = (module("_peers_of_" + name, name + ".py").npp for name in ("integral", "lacunarity"))
        random = numpy.random.default_rng(1)
        for size in SIZES:
            image = random.integers(0, 256, size, numpy.uint8)
            integral_is_right(integral, image)
            lacunarity_is_right(lacunarity, image)
    tall = numpy.zeros((65536, 1), numpy.uint8)
    refuses(integral, tall, "65,535 rows", sum="32")
    refuses(integral, tall[:9], "32 bits", sum="64")
    refuses(lacunarity, tall[:1024].repeat(1024, axis=1), "single precision", threshold="128", box="1024")
    print("peers of NPP are right")


if __name__ == "__main__":
    main()
