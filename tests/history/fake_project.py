"""A throw-away git repository whose CMake project makes a `bench` that measures nothing: it writes
results with the times of the commit, shifted a little from launch to launch."""
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE = """cmake_minimum_required(VERSION 3.16)
project(fake NONE)
file(READ ${CMAKE_SOURCE_DIR}/kind kind)
if(kind MATCHES "broken")
  message(FATAL_ERROR "this commit is broken")
endif()
if(kind MATCHES "slow_build")
  execute_process(COMMAND sh -c "echo $$ >$FAKE_LOG; sleep 60; exit 0")
endif()
configure_file(launch.sh ${CMAKE_BINARY_DIR}/bin/bench COPYONLY)
"""

# Of a commit. Results are texts in it, one for each launch: a shell without further programs measures
# in a tenth of the time in which an interpreter of Python starts.
BENCH = """#!/bin/sh
first=no plot=yes
while [ $# -gt 0 ]; do
    case $1 in
        --pass) launch=${2%%%%/*} ;;
        --out) out=$2 ;;
        --first) first=yes ;;
        --no-plot) plot=no ;;
    esac
    shift
done
case $launch,$first,$plot in
    1,no,no) ;;
    1,* | *,no,* | *,yes) echo "bench: wrong arguments" >&2; exit 2 ;;
esac
[ -z "$FAKE_LOG" ] || echo "$out" >>"$FAKE_LOG"
[ -z "$FAKE_HANGS" ] || exec sleep 30
[ -z "$FAKE_SLEEP" ] || sleep "$FAKE_SLEEP"
%(before)s
case $((launch %% 8)) in
%(results)s
esac
trap '' HUP INT TERM # else mkdir goes on alone, and makes folders again that have just been removed
mkdir -p "$out"
printf '%%s\\n' "$results" >"$out/results.json"
%(end)s
"""

# Times are the commit's, and up to 1% more by a fixed sequence over the launches.
SHARES = [0.0, 0.007, 0.003, 0.01, 0.005, 0.001, 0.009, 0.002]

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


def fake_results(share, cells, failed, flags):
    """What a launch writes."""
    machine = {"cpu_model": "fake", "cpu_count": 1, "c_flags": flags}
    def row(name, samples):
        keys = dict(zip(("algorithm", "variant", "input", "size"), name.split("/")))
        return {"name": name, **keys, "answer": {}, "tuning": {}, "input_hash": "00", "mode": "hot",
                "verified": samples != [], "converged": True, "best_tuning": True,
                "kernel_samples_s": samples, "end_to_end_samples_s": []}
    return json.dumps({"context": {"date": "2026-01-01T00:00:00Z", "json_schema_version": 1,
                                   "machine": machine, "machine_identity": list(machine)},
                       "benchmarks": [row(name, [seconds * (1 + share)] * 3)
                                      for name, seconds in cells.items()],
                       "failures": [{**row(name, []), "error_message": why}
                                    for name, why in failed.items()], "skipped": []})


def fake_bench(cells, crash=0, lost=0, failed=(), flags="-O3"):
    """The program of a commit; `crash` and `lost` end it before it has written anything."""
    before = ("echo 'bench: the answer is wrong' >&2; exit 1" if crash else
              "echo 'bench: the device is lost' >&2; exit 4" if lost else "")
    results = "\n".join(f"    {i}) results={shlex.quote(fake_results(SHARES[i], cells, dict(failed), flags))} ;;"
                        for i in range(len(SHARES)))
    return BENCH % {"before": before, "results": results, "end": "exit 4" if failed else ""}


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
        if shutil.which("ninja"):  # builds nothing in half of the time that make takes for it
            self.environment["CMAKE_GENERATOR"] = "Ninja"
        self.git("init", "-q", "-b", "main")
        self.git("config", "maintenance.auto", "false")
        self.write("CMakeLists.txt", CMAKE)
        self.write("launch.sh", "")
        os.chmod(os.path.join(self.folder, "launch.sh"), 0o755)

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.folder, *arguments], env=self.environment,
                              check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self, seconds, message=None, broken=0, slow_build=0, **more):
        """Commits times: seconds of CELL, or a dictionary of cells. Returns the hash."""
        cells = seconds if isinstance(seconds, dict) else {CELL: seconds}
        number = len(self.commits)
        self.environment["GIT_COMMITTER_DATE"] = f"2026-01-01T00:{number:02d}:00Z"
        self.write("kind", f"{number} {'broken' if broken else 'slow_build' if slow_build else ''}\n")
        self.write("launch.sh", fake_bench(cells, **more))
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
