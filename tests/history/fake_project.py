"""A throw-away git repository whose CMake project makes a `bench` that measures nothing: it writes
results with the times that the commit's file times.json has, shifted a little from launch to launch."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

CMAKE = """cmake_minimum_required(VERSION 3.16)
project(fake NONE)
file(READ ${CMAKE_SOURCE_DIR}/times.json times)
if(times MATCHES "broken")
  message(FATAL_ERROR "this commit is broken")
endif()
if(times MATCHES "slow_build")
  execute_process(COMMAND sh -c "echo $$ >$FAKE_LOG; sleep 60; exit 0")
endif()
configure_file(bench.py ${CMAKE_BINARY_DIR}/bin/bench COPYONLY)
configure_file(times.json ${CMAKE_BINARY_DIR}/bin/times.json COPYONLY)
"""

# Times are times.json's, and up to 1% more by a fixed sequence over the launches. The interpreter
# itself starts in a tenth of the time that a wrapper in PATH may take.
BENCH = "#!" + sys.executable + """ -IS
import json, os, sys, time
arguments = sys.argv[1:]
value = lambda name: arguments[arguments.index(name) + 1]
log = os.environ.get("FAKE_LOG")
here = os.path.dirname(os.path.abspath(__file__))
times = json.load(open(os.path.join(here, "times.json")))
launch = int(value("--pass").split("/")[0])
assert "--no-plot" in arguments and (launch == 1) != ("--first" in arguments), arguments
if log:
    print(value("--out"), file=open(log, "a"))
if os.environ.get("FAKE_SLEEP"):
    time.sleep(float(os.environ["FAKE_SLEEP"]))
if times.get("crash"):
    sys.exit("bench: the answer is wrong")
if times.get("lost"):
    print("bench: the device is lost", file=sys.stderr)
    sys.exit(4)
share = [0.0, 0.7, 0.3, 1.0, 0.5, 0.1, 0.9, 0.2][launch % 8] / 100
machine = {"cpu_model": "fake", "cpu_count": 1, "c_flags": times.get("flags", "-O3")}
def row(name, samples):
    keys = dict(zip(("algorithm", "variant", "input", "size"), name.split("/")))
    return {"name": name, **keys, "answer": {}, "tuning": {}, "input_hash": "00", "mode": "hot",
            "verified": samples != [], "converged": True, "best_tuning": True,
            "kernel_samples_s": samples, "end_to_end_samples_s": []}
entries = [row(name, [seconds * (1 + share)] * 3) for name, seconds in times["cells"].items()]
os.makedirs(value("--out"), exist_ok=True)
with open(os.path.join(value("--out"), "results.json"), "w") as file:
    json.dump({"context": {"date": "2026-01-01T00:00:00Z", "json_schema_version": 1,
                           "machine": machine, "machine_identity": list(machine)},
               "benchmarks": entries,
               "failures": [{**row(name, []), "error_message": why}
                            for name, why in times.get("failed", {}).items()], "skipped": []}, file)
if times.get("failed"):
    sys.exit(4)
"""

CELL = "lbp/seq/texture/64x64"


def stored_run(context, cells, **entry):
    """A results.json of cells "algorithm/variant/input/size" with one sample each."""
    def row(name, seconds):
        keys = dict(zip(("algorithm", "variant", "input", "size"), name.split("/")))
        return {"name": name, **keys, "answer": {}, "tuning": {}, "input_hash": "0123456789abcdef",
                "mode": "hot", "verified": True, "converged": True, "best_tuning": True,
                "kernel_samples_s": [seconds], "end_to_end_samples_s": [], **entry}
    return json.dumps({"context": {"json_schema_version": 1, **context},
                       "benchmarks": [row(*cell) for cell in cells.items()],
                       "failures": [], "skipped": []})


CELLS = ["--", "--algo", "lbp", "--variants", "seq", "--sizes", "64x64"]


class Project:
    """The repository in `folder`; `bench` is the program under test."""

    def __init__(self, folder, program):
        self.folder = os.path.join(folder, "project")
        self.temporary = os.path.join(folder, "temporary")
        self.program = program
        self.commits = []
        os.mkdir(self.folder)
        os.mkdir(self.temporary)
        self.environment = {
            key: text for key, text in os.environ.items() if not key.startswith(("GIT", "FAKE"))}
        self.environment.update(
            TMPDIR=self.temporary, GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull,
            GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b", GIT_COMMITTER_NAME="a",
            GIT_COMMITTER_EMAIL="a@b")
        self.git("init", "-q", "-b", "main")
        self.write("CMakeLists.txt", CMAKE)
        self.write("bench.py", BENCH)
        os.chmod(os.path.join(self.folder, "bench.py"), 0o755)

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.folder, *arguments], env=self.environment,
                              check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self, seconds, message=None, **more):
        """Commits times: seconds of CELL, or a dictionary of cells. Returns the hash."""
        cells = seconds if isinstance(seconds, dict) else {CELL: seconds}
        number = len(self.commits)
        self.environment["GIT_COMMITTER_DATE"] = f"2026-01-01T00:{number:02d}:00Z"
        self.write("times.json", json.dumps({"cells": cells, "number": number, **more}))
        self.git("add", ".")
        self.git("commit", "-q", "-m", message or f"commit {number}")
        self.commits.append(self.git("rev-parse", "HEAD"))
        return self.commits[-1]

    def command(self, *arguments):
        return [self.program, *arguments]

    def bench(self, *arguments, **environment):
        """Runs the program in the repository; returns exit code, output and errors."""
        done = subprocess.run(self.command(*arguments), cwd=self.folder, text=True,
                              env={**self.environment, **environment}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=300, check=False)
        return done.returncode, done.stdout, done.stderr

    def check_clean(self):
        """Nothing is left in the folder of temporary files, nor in the repository."""
        assert os.listdir(self.temporary) == [], os.listdir(self.temporary)
        assert self.git("worktree", "list").count("\n") == 0
        assert self.git("status", "--porcelain") == "", self.git("status", "--porcelain")


class ProjectTest(unittest.TestCase):
    """A test with a repository and files of its own, in `folder`."""

    program = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.project = Project(folder.name, self.program)

    def path(self, name):
        return os.path.join(self.folder, name)


def main():
    """Runs the tests of the script that calls it, whose first argument is the program."""
    ProjectTest.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
