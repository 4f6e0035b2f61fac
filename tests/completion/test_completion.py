#!/usr/bin/env python3
"""usage: test_completion.py bash|zsh|fish PROGRAM

Types command lines into an interactive shell, presses Tab and then Enter, and looks at the arguments
that the shell gives a program called bench. The program that answers for it is PROGRAM, which also
prints the completion script. Exits with 77 where there is no such shell."""

import os
import pty
import select
import shutil
import stat
import subprocess
import sys
import tempfile
import time

SHELL, PROGRAM = sys.argv[1:]
PATIENCE = 120  # seconds after which a shell that says nothing has failed

STAND_IN = """#!/bin/sh
case $1:$2 in
help:--complete=*) exec "$REAL_BENCH" "$@" ;;
esac
printf 'ARGUMENTS'
for argument in "$@"; do printf '<%s>' "$argument"; done
printf 'END\\n'
"""

# What is typed, and the arguments that it becomes. Each has one continuation.
CASES = [
    ("bench comp", ["compare"]),
    ("bench run --alg", ["run", "--algo"]),
    ("bench --alg", ["--algo"]),
    ("bench --vers", ["--version"]),
    ("bench --algo lbp_", ["--algo", "lbp_riu"]),
    ("bench --algo lbp,haa", ["--algo", "lbp,haar"]),
    ("bench --algo=matc", ["--algo=matching"]),
    ("bench --algo=lbp,matc", ["--algo=lbp,matching"]),
    ("bench --algo lbp --variants seq,cuda_na", ["--algo", "lbp", "--variants", "seq,cuda_naive"]),
    ("bench --interp bil", ["--interp", "bilinear"]),
    ("bench --pr 8:1,16", ["--pr", "8:1,16:2"]),
    ("bench --pr=8:1,16", ["--pr=8:1,16:2"]),
    ("bench --sizes 1080p,72", ["--sizes", "1080p,720p"]),
    ("bench --synthetic=noi", ["--synthetic=noise"]),
    ("bench compare --format ju", ["compare", "--format", "junit"]),
    ("bench list haa", ["list", "haar"]),
    ("bench study lbp-2", ["study", "lbp-2020"]),
    ("bench help envi", ["help", "environment"]),
    ("bench --color nev", ["--color", "never"]),
    ("bench --input phot", ["--input", "photo.png"]),
    ("bench --input=phot", ["--input=photo.png"]),
    ("bench --out some", ["--out", "some dir"]),
    ("bench --out=some", ["--out=some dir"]),
    ("bench show late", ["show", "latest"]),
    ("bench show my-runs/z", ["show", "my-runs/z$(touch pwned)"]),
    ("bench --first my-runs/a", ["--first", "my-runs/a b"]),
    ("~/bin/bench run --alg", ["run", "--algo"]),
    ("bench --input '$(touch pwned)' --alg", ["--input", "$(touch pwned)", "--algo"]),
]

# Entered, whatever they become: a study with a name that no shell may run.
DOUBTFUL = ["bench study x"]

# Made a comment before they are entered: what stands on a line is not run because Tab is pressed. (A
# key that kills the line would do so before the shell sees it, where that is still busy.)
HOSTILE = [
    "bench $(touch pwned) --alg",
    "bench `touch pwned` --algo=l",
    "$(touch pwned)/bench --alg",
    "`touch pwned`/bench --alg",
    'bench "$(touch pwned)" --al',
    "bench --algo '; touch pwned; ",
    "bench --algo=$(touch pwned),l",
    "bench --input $(touch pwned)/",
    "bench show my-runs/z",
]

SETUP = {
    "bash": ("--noprofile --norc -i", "bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; . ./script"),
    # What zsh has on Tab expands the word before it completes: it would run $(...) for any program.
    "zsh": (
        "-f -i",
        "bindkey -e; bindkey '^I' complete-word; setopt interactive_comments; fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep; unset zle_bracketed_paste",
    ),
    "fish": ("-i", "source script"),
}


class Shell:
    def __init__(self, folder, environment):
        arguments, setup = SETUP[SHELL]
        self.said = b""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(SHELL, [SHELL] + arguments.split(), environment)
        self.type(setup + "; bench ready\r")
        self.arguments()

    def type(self, text):
        os.write(self.terminal, text.encode())

    def arguments(self):
        """Waits until a program called bench has been started and returns its arguments."""
        until = time.monotonic() + PATIENCE
        while b"END" not in self.said.partition(b"ARGUMENTS<")[2]:
            ready, _, _ = select.select([self.terminal], [], [], max(0, until - time.monotonic()))
            try:
                piece = os.read(self.terminal, 65536) if ready else b""
            except OSError:
                piece = b""
            if not piece:
                sys.exit(f"{SHELL} starts no program; it said: {self.said!r}")
            self.said += piece
        line, _, self.said = self.said.partition(b"ARGUMENTS<")[2].partition(b">END")
        return line.decode().split("><")

    def close(self):
        self.type("exit\r")
        while True:
            try:
                if not os.read(self.terminal, 65536):
                    break
            except OSError:
                break
        os.waitpid(self.process, 0)


def prepare(folder):
    for name in ["bin", "functions", "some dir", "my-runs/a b", "my-runs/z$(touch pwned)", "studies/lbp-2020", "studies/x$(touch pwned)", "config", "data"]:
        os.makedirs(os.path.join(folder, name))
    for name in ["photo.png", "other.txt", "studies/lbp-2020/study.txt", "studies/x$(touch pwned)/study.txt"]:
        open(os.path.join(folder, name), "w").close()
    stand_in = os.path.join(folder, "bin/bench")
    with open(stand_in, "w") as file:
        file.write(STAND_IN)
    os.chmod(stand_in, stat.S_IRWXU)
    script = subprocess.run([PROGRAM, "help", "--completion", SHELL], check=True, capture_output=True, text=True)
    for name in ["script", "functions/_bench"]:
        with open(os.path.join(folder, name), "w") as file:
            file.write(script.stdout)
    environment = dict(os.environ, HOME=folder, TERM="xterm", REAL_BENCH=os.path.abspath(PROGRAM))
    environment.update(PATH=f"{folder}/bin:{os.environ['PATH']}", BENCH_RUNS="my-runs", BENCH_STUDY_DIR="studies", LC_ALL="C.UTF-8")
    environment.update(XDG_CONFIG_HOME=f"{folder}/config", XDG_DATA_HOME=f"{folder}/data", COLUMNS="200")
    return environment


def is_run(folder, line):
    """Whether something on the line was run as a command; cleans up after it."""
    planted = os.path.join(folder, "pwned")
    if not os.path.exists(planted):
        return False
    os.remove(planted)
    print(f"{SHELL}: {line}: a text of the line was run")
    return True


def main():
    if shutil.which(SHELL) is None:
        print(f"skipped: needs {SHELL}")
        sys.exit(77)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        shell = Shell(folder, prepare(folder))
        for line, wanted in CASES:
            shell.type(line + "\t\r")
            got = [argument.rstrip("/") for argument in shell.arguments()]
            if got != wanted:
                print(f"{SHELL}: {line}: {got}, expected {wanted}")
                failed += 1
            failed += is_run(folder, line)
        for line in DOUBTFUL:
            shell.type(line + "\t\r")
            shell.arguments()
            failed += is_run(folder, line)
        for line in HOSTILE:
            shell.type(line + "\t\x01#\rbench sync\r")
            if shell.arguments() != ["sync"]:
                print(f"{SHELL}: {line}: the line was entered")
                failed += 1
            failed += is_run(folder, line)
        shell.close()
    sys.exit(failed > 0)


main()
