#!/usr/bin/env python3
"""usage: test_peers.py BENCH

Peers on a device, which here is emulated: those of CuPy, in whose place NumPy works on the host, are right for awkward
inputs.
"""
import os
import subprocess
import sys

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: needs NumPy")
    sys.exit(77)

bench = os.path.abspath(sys.argv[1])
here = os.path.dirname(os.path.abspath(__file__))
environment = dict(os.environ, BENCH_PYTHON=sys.executable, PYTHONPATH=os.path.join(here, "stand_in"))
wrong = []
for algorithm in ("lbp", "lbp_riu", "lacunarity", "integral", "copy"):
    done = subprocess.run([bench, "verify", "--algo", algorithm, "--variants", "cupy", "--quick"], capture_output=True,
                          text=True, check=False, env=environment)
    print(done.stdout, done.stderr)
    if "shared library" in done.stdout + done.stderr:
        print("skipped: needs Python's shared library")
        sys.exit(77)
    if done.returncode != 0 or "1 of 1 variants right" not in done.stdout:
        wrong.append(algorithm)
print("wrong: " + ", ".join(wrong) if wrong else "peers on a device are right")
sys.exit(1 if wrong else 0)
