#!/usr/bin/env python3
"""The parts of reports/peers/integral.py that need no library: what becomes of a peer that is
missing, fails or is wrong, and of several launches; and that its columns are the program's own.

    test_peers.py SCRIPT BENCH
"""
import importlib.util
import re
import subprocess
import sys


def load(path):
    spec = importlib.util.spec_from_file_location("peers", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Peer:
    variant, backend, threads, device, library = "fake", "cpu", 1, "a processor", "Fake 1.0"

    def __init__(self, samples=(3.0, 1.0, 2.0), right=True, error=None):
        self.samples, self.right, self.error = list(samples), right, error

    def open(self):
        if self.error is not None:
            raise self.error

    def measure(self, image, expected):
        return self.samples, self.right


def check(is_right, what):
    if not is_right:
        sys.exit(f"wrong: {what}")


def main():
    peers = load(sys.argv[1])
    rows = [peers.row_of(peer, "480p", None, None) for peer in
            (Peer(), Peer(samples=(7.0, 5.0)), Peer(error=peers.Missing("no module 'x'")),
             Peer(error=RuntimeError("boom")), Peer(right=False))]
    check([row["status"] for row in rows] == ["ok", "ok", "skip", "fail", "fail"], rows)
    check(rows[0]["kernel_ms_median"] == 2 and rows[0]["width"] == 640, rows[0])
    check(rows[2]["why"] == "no module 'x'" and rows[3]["why"] == "RuntimeError: boom", rows)
    both = peers.merged(rows[:2])
    check((both["kernel_ms_median"], both["samples"], both["launches"]) == (4, 5, 2), both)
    check("kernel_ms_ci_low" not in both, "an interval of two launches")
    both = peers.merged(rows[:2] * 3)
    check((both["kernel_ms_median"], both["kernel_ms_ci_low"], both["kernel_ms_ci_high"],
           both["launches"]) == (4, 2, 6, 6), both)
    check(peers.merged([rows[0], rows[3]])["status"] == "fail", "a launch that failed")
    check(all(set(row) <= set(peers.COLUMNS) for row in [*rows, both]), "columns")
    known = subprocess.run([sys.argv[2], "help", "columns"], capture_output=True, text=True,
                           check=True).stdout
    strange = [name for name in peers.COLUMNS if not re.search(rf"^ *{name}\b", known, re.M)]
    check(not strange, strange)
    sizes = subprocess.run([sys.argv[2], "list", "lbp"], capture_output=True, text=True,
                           check=True).stdout
    for name, (width, height) in peers.SIZES.items():
        check(re.search(rf"\b{name}\b\D+{width}\D+{height}\b", sizes), f"size {name}")
    print("peers: right")


if __name__ == "__main__":
    main()
