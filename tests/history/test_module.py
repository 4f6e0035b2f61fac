"""usage: test_module.py BENCH. `bench ci --module` on a throw-away repository with an algorithm in one
file. What is planted is far beyond any noise, and what is unchanged would have to double."""
import importlib.util
import os
import shutil
import subprocess
import sys
import unittest

from fake_project import main, ProjectTest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CELLS = ["--", "--sizes", "64x64", "--reps", "3", "--no-roof"]
SEQ = "negative/seq/texture/64x64"
FAST = "negative/fast/texture/64x64"

SOURCE = """#include "bench.h"
#include "level.h"
static void rows(const uint8_t *in, uint8_t *out, int width, int height, int first, int last) {
    (void)height;
    for (int i = first * width; i < last * width; i++) {
        for (volatile int wait = 0; wait < %(wait)d; wait++) {
        }
        out[i] = (uint8_t)(LEVEL - in[i]);
    }
}
static void fast(const uint8_t *in, uint8_t *out, int width, int height, int first, int last) {
    (void)height;
    for (int i = first * width; i < last * width; i++) {
        out[i] = (uint8_t)(%(fast)s);
    }
}
BENCH_IMAGE(uint8_t, uint8_t, rows)
BENCH_CPU(fast)
%(more)s
"""

PYTHON = """import time
with open({log!r}, "a") as log:
    log.write("+")
time.sleep(1.1)
import os
import bench
@bench.variant
def plain(image, out):
    {before}
    out[:] = 255 - image
"""

COMPILE = f"cc -O2 -shared -fPIC -fopenmp -DBENCH_ALGORITHM=negative -isystem '{ROOT}/bench/api' -Iinclude"


class Module(ProjectTest):
    def setUp(self):
        super().setUp()
        self.project.environment["XDG_CACHE_HOME"] = self.path("cache")
        self.commit_level(255)

    def write(self, name, text):
        path = os.path.join(self.project.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self):
        self.project.git("add", ".")
        self.project.git("commit", "-q", "-m", f"commit {len(self.project.commits)}")
        self.project.commits.append(self.project.git("rev-parse", "HEAD"))

    def commit_level(self, level):
        """What the algorithm includes: in a folder beside its own."""
        self.write("include/level.h", f"enum {{ LEVEL = {level} }};\n")
        self.commit()

    def commit_source(self, wait=10, fast="LEVEL - in[i]", more=""):
        self.write("filters/negative.c", SOURCE % {"wait": wait, "fast": fast, "more": more})
        self.commit()

    def ci(self, *more, code, variants="seq", folder="filters", module="negative.c", base="HEAD^", command="ci",
           **environment):
        arguments = [self.program, *command.split(), "--module", module, "--quiet", "--launches", "6", *more]
        if command == "ci":
            arguments += ["--out", self.path("out"), "--base", base]
        done = subprocess.run([*arguments, *CELLS, "--variants", variants], cwd=os.path.join(self.project.folder, folder),
                              env={**self.project.environment, "CFLAGS": "-I../include", "BENCH_RUNS": self.path("runs"), **environment},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=300)
        self.assertEqual(done.returncode, code, done)
        self.project.check_clean()
        self.assertFalse(os.path.exists(self.path("cache/bench/modules")), "a commit is kept for ever")
        return done.stdout, done.stderr

    def ci_python(self, before, code, **words):
        """Both commits of a file in Python that takes long to import: how often that was done, and what was said."""
        log = self.path("log")
        for line in ("pass", before):
            self.write("filters/negative.py", PYTHON.format(log=log, before=line))
            self.commit()
        out, errors = self.ci(code=code, module="negative.py", variants="plain", BENCH_PYTHON=sys.executable, **words)
        with open(log, encoding="utf-8") as file:
            return len(file.read()), out + errors

    @unittest.skipIf(importlib.util.find_spec("numpy") is None, "needs NumPy")
    def test_python_is_imported_once_for_a_side(self):
        """And once before anything is measured. What BENCH_PATH names is not loaded."""
        imports, said = self.ci_python("time.sleep(0.002)", 1, BENCH_PATH=self.path("nothing.so"))
        self.assertEqual(imports, 3)
        self.assertIn("negative/plain/texture/64x64", said)

    @unittest.skipIf(importlib.util.find_spec("numpy") is None, "needs NumPy")
    def test_python_that_ends_its_process(self):
        _, said = self.ci_python("os._exit(3)", 4)
        self.assertIn("ended its process with exit code 3", said)

    def test_what_is_in_a_submodule(self):
        other = self.path("other")
        os.makedirs(other)
        self.write("../other/level.h", "enum { LEVEL = 255 };\n")
        self.project.git("-C", other, "init", "-q")
        self.project.git("-C", other, "add", ".")
        self.project.git("-C", other, "commit", "-q", "-m", "level")
        self.project.git("rm", "-q", "-r", "include")
        self.project.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "include")
        self.commit_source()
        self.commit_source(more="/* more */")
        self.ci(code=0)
        shutil.rmtree(os.path.join(self.project.folder, "include"))
        os.mkdir(os.path.join(self.project.folder, "include"))
        _, errors = self.ci(code=6)
        self.assertIn("without submodule include of ", errors)
        self.assertRegex(errors, "cannot be built: negative.c is not compiled")

    def test_a_slowdown(self):
        self.commit_source()
        self.commit_source(wait=1000)
        out, _ = self.ci(code=1, GITHUB_ACTIONS="true")
        self.assertRegex(out, rf"(?m)^slower .* {SEQ}$")
        self.assertIn("::error title=slower::" + SEQ, out)
        self.assertTrue(out.endswith("\n1 cell slower\n"), out)
        for side in (1, 2):
            self.assertIn(f"(commit {self.project.commits[side]})\n", out)

    def test_no_change(self):
        """What is not committed changes nothing, nor does a module of the person's own."""
        self.commit_source()
        subprocess.run(f"{COMPILE} -o '{self.path('negative.so')}' filters/negative.c", shell=True, check=True,
                       cwd=self.project.folder)
        self.commit_source(more="// the same")
        self.project.git("update-index", "--assume-unchanged", "filters/negative.c", "include/level.h")
        self.write("filters/negative.c", "no C\n")
        self.write("include/level.h", "no C either\n")
        out, _ = self.ci("--threshold", "99%", code=0, BENCH_PATH=self.path("negative.so"))
        self.assertRegex(out, r"\nno change seen; [\d.]+% or more would have been\n$")
        self.assertIn("1 cell: 0 slower", out)

    def test_what_fails_is_a_failure(self):
        self.commit_source()
        self.commit_source(fast="LEVEL - 1 - in[i]")
        out, errors = self.ci(variants="fast", code=4)
        self.assertIn(f"Failed in the new run\n  {FAST}: wrong answer", out)
        self.assertIn("0 missing", out)
        self.assertTrue(errors.startswith("compiling "))
        self.assertIn(f"failed in the new run; the first is {FAST}", errors)
        # And what has nothing right before it is mended.
        self.commit_source()
        out, _ = self.ci(variants="fast", code=0)
        self.assertRegex(out, "^[0-9a-f]{8} failed in all that is measured, and [0-9a-f]{8} is right: nothing to compare")

    def test_a_new_algorithm(self):
        self.commit_source()
        summary = self.path("summary")
        out, _ = self.ci(variants="seq,fast", code=0, GITHUB_STEP_SUMMARY=summary)
        said = f"{self.project.commits[0][:8]} has no negative.c: a new algorithm, which is verified and timed alone.\n"
        self.assertTrue(out.startswith(said), out)
        self.assertIn("at 64x64", out)
        with open(summary, encoding="utf-8") as file:
            self.assertEqual(file.read(), said)
        self.assertTrue(os.path.exists(self.path("out/new/results.json")))
        self.commit_source(fast="LEVEL - 1 - in[i]")
        _, errors = self.ci(variants="fast", code=4, base=self.project.commits[0])
        self.assertIn("wrong answer", errors)

    def test_a_commit_that_cannot_be_built(self):
        self.commit_source()
        self.commit_source(more="no C")
        _, errors = self.ci(code=6)
        self.assertRegex(errors, r"\n\./negative\.c:\d+:")
        self.assertIn("cannot be built: negative.c is not compiled", errors)

    def test_a_command(self):
        """It is run in each commit; the module lies where it has put it."""
        self.commit_source()
        self.commit_source(wait=1000)
        build = f"{COMPILE} -o negative.so filters/negative.c"
        out, _ = self.ci("--build", build, module="negative.so", folder=".", code=1)
        self.assertRegex(out, rf"(?m)^slower .* {SEQ}$")
        self.commit_source(more="no C")
        _, errors = self.ci("--build", build, module="negative.so", folder=".", code=6)
        self.assertIn("bench: note: the end of the build of ", errors)
        self.assertIn("error:", errors)
        _, errors = self.ci("--build", "true", module="negative.so", folder=".", code=2)
        self.assertIn("has no negative.so", errors)

    def test_a_search(self):
        self.commit_source()
        self.commit_source(wait=1000)
        out, _ = self.ci(*self.project.commits[1:], command="ci bisect", code=0)
        self.assertIn(self.project.commits[2][:8] + "  is the commit that changed it:", out)

    def test_what_is_wrong_is_one_line(self):
        self.commit_source()
        self.commit_level(254)
        for arguments, fragment in (
                (["--module", "other.c"], "has no other.c; commits are measured, so commit it"),
                (["--module", "../../of_nobody.c"], "has no ../../of_nobody.c"),
                (["--module", "/etc/negative.c"], "is one of this machine"),
                (["--module", "negative"], "is neither a file of C, C++, CUDA or Python nor a shared object"),
                (["--module", "negative.so"], "--build COMMAND says how"),
                (["--build", "make", "--", "--algo", "lbp"], "--build is with --module"),
                (["--module", "negative.c", "--cmake", "-DX=1"], "--cmake is for commits of bench"),
                (["--module", "negative.c", "--", "--out", "x"], "not --out"),
                (["--module", "negative.c", "--", "--sizes", "small"], "'small' is no size"),
                (["--module", "negative.c", "--", "--depth-of-mine", "3"], "unknown option '--depth-of-mine'"),
                (["--module", "negative.c", "--", "--variants", "fst"], "'fst'")):
            done = subprocess.run([self.program, "ci", "--base", "HEAD^", "--quiet", "--out", self.path("out"), *arguments],
                                  cwd=self.project.folder + "/filters", stdout=subprocess.PIPE, text=True,
                                  env={**self.project.environment, "CFLAGS": "-I../include"}, check=False,
                                  stderr=subprocess.PIPE, timeout=300)
            lines = [line for line in done.stderr.splitlines() if not line.startswith("compiling ")]
            self.assertEqual((done.returncode, done.stdout, len(lines)), (2, "", 1), (arguments, done))
            self.assertIn(fragment, lines[0])
            self.project.check_clean()

    def test_a_module_that_leads_out_of_the_repository_is_refused(self):
        self.commit_source()
        with open(self.path("mine.c"), "w", encoding="utf-8") as file:
            file.write("no C\n")
        os.symlink(self.path("mine.c"), self.project.folder + "/filters/mine.c")
        self.commit()
        _, errors = self.ci(module="mine.c", code=2)
        self.assertIn("mine.c is outside of the repository", errors)


if __name__ == "__main__":
    main()
