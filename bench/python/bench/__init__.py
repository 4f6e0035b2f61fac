"""Runs of bench as tables, and Python functions as its variants.

`bench.read("runs/lbp")` reads a stored run; `bench.variant` marks the functions of a file that
`bench run FILE.py` measures.
"""

from ._read import Run, RunError, read
from ._variants import algorithm, variant

__all__ = ["Run", "RunError", "algorithm", "read", "variant"]
