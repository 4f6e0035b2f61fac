#!/usr/bin/env python3
"""usage: check_circles.py NM OBJECT...

Prints each circle among the object files of one room, where every file needs another one of it, and
exits 1 when there is one. The room can then not be read from the bottom up.
"""
import collections
import pathlib
import subprocess
import sys


def symbols(nm, path):
    """What an object file defines, and what it uses of others."""
    defined, used = set(), set()
    for line in subprocess.run([nm, path], capture_output=True, text=True,
                               check=True).stdout.splitlines():
        kind, name = line.split()[-2:]
        if kind == "U":
            used.add(name)
        elif kind in "TDRBVW":
            defined.add(name)
    return defined, used


def needs_of(files):
    """The files that each file needs, from {file: (defined, used)}."""
    home = {name: file for file, (defined, _) in files.items() for name in defined}
    return {file: {home[name] for name in used if home.get(name, file) != file}
            for file, (_, used) in files.items()}


def reached(needs, start):
    """All files that `start` needs, directly or through others."""
    seen, queue = set(), collections.deque(needs[start])
    while queue:
        file = queue.popleft()
        if file not in seen:
            seen.add(file)
            queue.extend(needs[file])
    return seen


def circles(needs):
    """The sets of files that all need each other."""
    all_reached = {file: reached(needs, file) for file in needs}
    return sorted({tuple(sorted(other for other in all_reached[file] if file in all_reached[other]))
                   for file in needs if file in all_reached[file]})


def main():
    nm, objects = sys.argv[1], sys.argv[2:]
    if not objects:
        sys.exit(__doc__)
    files = {pathlib.Path(path).name.removesuffix(".o"): symbols(nm, path) for path in objects}
    found = circles(needs_of(files))
    for circle in found:
        print("a circle: " + ", ".join(circle))
    sys.exit(1 if found else 0)


def self_test():
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert circles({"a": {"b"}, "b": {"a", "c"}, "c": set()}) == [("a", "b")]
    assert needs_of({"a": ({"f"}, {"g"}), "b": ({"g"}, {"f", "puts"})}) == {"a": {"b"}, "b": {"a"}}


if __name__ == "__main__":
    self_test()
    main()
