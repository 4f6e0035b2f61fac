#!/usr/bin/env python3
"""usage: test_python.py BENCH

Variants in Python on a device, which here is emulated: what is uploaded, the stream, poisoned and guarded answers,
the download. Their code waits for the stream and works as the host does, in the device's memory.
"""
import csv
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: needs NumPy")
    sys.exit(77)

bench = os.path.abspath(sys.argv[1])
CODE = """
import ctypes
import bench
import numpy as np

wait = ctypes.CDLL(None).cudaStreamSynchronize
bench.algorithm(parameters={"by": [0, 3]})


@bench.variant
def plain(image, out, by):
    out[:] = 255 - image + np.uint8(by)


class Host:
    def __init__(self, memory, more=0):
        interface = dict(memory.__cuda_array_interface__)
        height, width = interface["shape"]
        interface.update(shape=(height * width + more,), strides=None)
        self.__array_interface__ = interface


def on_device(image, out, stream, by, more=0):
    assert wait(ctypes.c_void_p(stream)) == 0
    answer = np.asarray(Host(out, more))
    answer[:out.__cuda_array_interface__["shape"][0] * out.__cuda_array_interface__["shape"][1]] = (
        255 - np.asarray(Host(image)) + np.uint8(by))
    return answer


@bench.variant("interface", improves_on="plain", tuning={"block": [8, 16]})
def device(image, out, stream, by, block):
    on_device(image, out, stream, by)


@bench.variant("interface")
def behind(image, out, stream, by):
    on_device(image, out, stream, by, 1)[-1] = 0


kept = {}


@bench.variant("interface")
def once(image, out, stream, by):
    if (image, by) not in kept:
        on_device(image, out, stream, by)
    kept[image, by] = True


@bench.variant("interface")
def raises(image, out, stream, by):
    raise ValueError("on purpose")
"""

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("negative.py", "w", encoding="utf-8") as file:
        file.write(CODE)
    environment = dict(os.environ, BENCH_PYTHON=sys.executable)
    done = subprocess.run([bench, "run", "negative.py", "--sizes", "64x48", "--reps", "3", "--launches", "1",
                           "--no-plot", "--no-roof", "--quiet", "--out", "run"], capture_output=True, text=True,
                          check=False, env=environment)
    if done.returncode == 5 and "shared library" in done.stderr:
        print("skipped: needs Python's shared library: " + done.stderr)
        sys.exit(77)
    print(done.stderr)
    with open("run/results.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    verify = subprocess.run([bench, "verify", "negative.py", "--variants", "device", "--quick"], capture_output=True,
                            text=True, check=False, env=environment)
    print(verify.stdout, verify.stderr)

wrong = []
for variant, why in (("plain", ""), ("device", ""), ("once", "wrong answer"), ("raises", "negative.py:"),
                     ("behind", "wrote outside a device buffer of 3072 bytes, after its end")):
    cells = [row for row in rows if row["variant"] == variant]
    if len(cells) != (4 if variant == "device" else 2):
        wrong.append(f"{variant}: {len(cells)} cells")
    for row in cells:
        right = row["status"] == ("fail" if why else "ok") and why in row["why"]
        if not right or (variant == "device" and not (float(row["upload_ms"]) > 0 and float(row["call_ms"]) > 0)):
            wrong.append(f"{variant}: {row['status']}, {row['why']}, upload {row['upload_ms']}, call {row['call_ms']}")
if verify.returncode != 0:
    wrong.append("verify finds fault")
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
