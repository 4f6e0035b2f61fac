#!/usr/bin/env python3
"""Changes the code by hand in the ways of list.txt, and judges whether a test notices.

    judge.py --all               every mutation; exit code 1 if too few are caught
    judge.py --only ID [ID…]     these
    judge.py --check             only whether the list fits the code
    judge.py --all --keep DIR    keeps the copy and its build in DIR for the next time
    judge.py --all --wide        what the named tests do not notice is tried with all quick tests

Nothing is changed in the tree itself: a copy of it is built and mutated in a temporary folder.
The format of the list is described at its head.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LEAST_CAUGHT = 0.92
# Of tests without a limit of their own: a mutation that ends in an endless loop is caught.
TEST_SECONDS = 180
WIDE = ("^(api|bench|datasets|cpu)/", "^(golden|conformance|cli|history)/")
SLOW = "tsan|test_learn_training"
CAUGHT, SURVIVED, EQUIVALENT, BROKEN = "caught", "SURVIVED", "equivalent", "does not build"


class Mutation:
    def __init__(self, name):
        self.name, self.file, self.wrong, self.equivalent = name, "", "", ""
        self.old, self.new, self.tests = [], [], []

    def add(self, line):
        """One line of the record; an error in words, or nothing."""
        if line[:1] in "-+":
            (self.old if line[0] == "-" else self.new).append(line[2:])
            return ""
        key, _, text = line.partition(" ")
        if key == "tests":
            self.tests += text.split()
        elif key in ("file", "wrong", "equivalent"):
            setattr(self, key, (getattr(self, key) + " " + text).strip())
        else:
            return f"{self.name}: a record has no '{key}'"
        return ""

    def errors(self, root):
        """What is wrong with the record, or with the code that it was written for."""
        missing = [key for key in ("file", "wrong", "old") if not getattr(self, key)]
        if not self.equivalent and not self.tests:
            missing.append("tests")
        if missing:
            return [f"{self.name}: has no {', '.join(missing)}"]
        try:
            count = text_of(os.path.join(root, self.file)).count("\n".join(self.old))
        except FileNotFoundError:
            return [f"{self.name}: there is no {self.file}"]
        return [] if count == 1 else [f"{self.name}: its old text is {count} times in {self.file}"]

    def mutated(self, text):
        return text.replace("\n".join(self.old), "\n".join(self.new))


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read_list(path):
    """The mutations, and errors as lines."""
    mutations, errors = [], []
    for line in text_of(path).split("\n"):
        if line.startswith("["):
            mutations.append(Mutation(line.strip("[]")))
        elif line and not line.startswith("#"):
            error = mutations[-1].add(line) if mutations else "the list begins with no [name]"
            errors += [error] if error else []
    names = [mutation.name for mutation in mutations]
    errors += [f"{name}: is there twice" for name in sorted(set(names)) if names.count(name) > 1]
    return mutations, errors


class Copy:
    """The tree in a folder of its own, with its build."""

    def __init__(self, folder):
        self.tree = os.path.join(folder, "tree")
        self.build = os.path.join(folder, "build")
        self.environment = {**os.environ, "CCACHE_BASEDIR": self.tree, "CCACHE_NOHASHDIR": "1"}
        self.log = os.path.join(folder, "log")

    def run(self, *command):
        """Whether the command ended well; what it prints goes to the log."""
        with open(self.log, "a", encoding="utf-8") as log:
            return subprocess.run(command, env=self.environment, stdout=log, check=False,
                                  stderr=subprocess.STDOUT).returncode == 0

    def remove_gone(self):
        """What the tree has no longer: CMake finds tests by their names."""
        for folder, _, files in os.walk(self.tree):
            for path in (os.path.join(folder, name) for name in files):
                if not os.path.isfile(os.path.join(ROOT, os.path.relpath(path, self.tree))):
                    os.remove(path)

    def update(self):
        """Makes the copy like the tree; only what differs is written, so that it alone is built."""
        names = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-z", "-co", "--exclude-standard"], check=True,
            stdout=subprocess.PIPE).stdout.decode().strip("\0").split("\0")
        self.remove_gone()
        for name in names:
            source, target = os.path.join(ROOT, name), os.path.join(self.tree, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if not os.path.isfile(source) or same(source, target):
                continue
            shutil.copy(source, target)

    def prepare(self):
        self.update()
        data = os.path.join(os.path.dirname(ROOT), "shared", "data")
        launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        return self.run("cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build,
                        "-DCMAKE_BUILD_TYPE=Release", "-DWITH_CUDA=OFF", "-DWITH_TESTS=ON",
                        f"-DBENCH_SHARED_DATA={data}", *launcher) and self.make() and \
            self.run("ctest", "--test-dir", self.build, "-R", "^cli/ceilings$")

    def make(self):
        return self.run("cmake", "--build", self.build, "-j", str(os.cpu_count()))

    def failing(self, pattern, without="^$"):
        """The first tests of this name that fail."""
        result = subprocess.run(
            ["ctest", "--test-dir", self.build, "-R", pattern, "-E", without, "-FA", ".",
             "--stop-on-failure", "--timeout", str(TEST_SECONDS), "-j", str(os.cpu_count())],
            env=self.environment, check=False, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(result.stdout)
        if "No tests were found" in result.stdout:
            sys.exit(f"there is no test {pattern}")
        failed = re.findall(r"^\s+\d+ - (\S+) \((?!Skipped)", result.stdout, re.MULTILINE)
        return failed or (["ctest"] if result.returncode else [])

    def judge(self, mutation, wide):
        """The verdict, and the test that decided it."""
        path = os.path.join(self.tree, mutation.file)
        text = text_of(path)
        write(path, mutation.mutated(text))
        try:
            if not self.make():
                return BROKEN, ""
            for pattern in mutation.tests:
                failed = self.failing(pattern)
                if failed:
                    return CAUGHT, failed[0]
            for pattern in WIDE if wide else ():
                failed = self.failing(pattern, SLOW)
                if failed:
                    return CAUGHT, failed[0]
            return SURVIVED, ""
        finally:
            write(path, text)


def same(source, target):
    try:
        with open(source, "rb") as first, open(target, "rb") as second:
            return first.read() == second.read()
    except FileNotFoundError:
        return False


def judge_all(mutations, copy, wide):
    """Prints a line for each; returns how many have each verdict."""
    counts = dict.fromkeys((CAUGHT, SURVIVED, EQUIVALENT, BROKEN), 0)
    if not copy.prepare():
        sys.exit(f"the tree itself cannot be built: see {copy.log}")
    names = sorted({name for mutation in mutations if not mutation.equivalent
                    for name in mutation.tests})
    failed = copy.failing("|".join(names)) if names else []
    if failed:
        sys.exit(f"without any mutation {failed[0]} fails: see {copy.log}")
    width = max(len(mutation.name) for mutation in mutations)
    for mutation in mutations:
        began = time.monotonic()
        verdict, by = (EQUIVALENT, mutation.equivalent) if mutation.equivalent else \
            copy.judge(mutation, wide)
        counts[verdict] += 1
        note = by if verdict != SURVIVED else mutation.wrong
        print(f"{mutation.name:{width}}  {verdict:14}  {time.monotonic() - began:4.0f} s  {note}",
              flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="ID", default=[])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--wide", action="store_true")
    asked = parser.parse_args()
    mutations, errors = read_list(os.path.join(HERE, "list.txt"))
    for mutation in mutations:
        errors += mutation.errors(ROOT)
    errors += [f"{name}: there is no such mutation" for name in asked.only
               if name not in [mutation.name for mutation in mutations]]
    if errors or asked.check or not (asked.all or asked.only):
        print("\n".join(errors) if errors else f"{len(mutations)} mutations fit the code")
        return 1 if errors else 0
    chosen = [mutation for mutation in mutations if asked.all or mutation.name in asked.only]
    if asked.keep:
        counts = judge_all(chosen, Copy(os.path.abspath(asked.keep)), asked.wide)
    else:
        with tempfile.TemporaryDirectory(prefix="bench-mutations-") as folder:
            counts = judge_all(chosen, Copy(folder), asked.wide)
    judged = counts[CAUGHT] + counts[SURVIVED]
    share = counts[CAUGHT] / judged if judged else 1
    print(", ".join(f"{count} {verdict.lower()}" for verdict, count in counts.items()) +
          f": {100 * share:.1f} % are caught, {100 * LEAST_CAUGHT:.0f} % are needed")
    return 1 if share < LEAST_CAUGHT or counts[BROKEN] else 0


if __name__ == "__main__":
    sys.exit(main())
