"""usage: test_history_page.py BENCH. tests/bars/history_page.sh on a repository of its own: which commits are built, that
they take turns, that what is there is kept, and that the page names the commit that became slower."""
import os
import shutil
import subprocess
import unittest

from fake_project import CMAKE, ProjectTest, main, stored_run

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bars", "history_page.sh")
PROGRAM = """#!/bin/sh
while [ $# -gt 0 ]; do
    [ "$1" != --out ] || out=$2
    shift
done
echo {number} >>"$LOG"
mkdir -p "$out"
# A little more each time, so that launches differ.
sed "s/{seconds}/{seconds}$(printf %03d "$(wc -l <"$LOG")")/" >"$out/results.json" <<'RUN'
{run}
RUN
"""


class HistoryPage(ProjectTest):
    def commit_times(self, number, seconds, file="kernels/lbp/a.cu", broken=False):
        run = stored_run({"machine": {"cpu_model": "fake", "cpu_count": 1}, "machine_identity": ["cpu_model"],
                          "arguments": "run --algo lbp", "argv": ["run", "--algo", "lbp"],
                          "date": "2026-01-01T00:00:00Z"}, {"lbp/seq/texture/64x64": seconds})
        folder = self.project.folder
        os.makedirs(os.path.join(folder, os.path.dirname(file)), exist_ok=True)
        self.project.write(file, f"{number}\n")
        self.project.write("CMakeLists.txt", CMAKE + "add_custom_target(bench)\n")
        self.project.write("kind", "broken\n" if broken else "\n")
        self.project.write("launch.sh", PROGRAM.format(number=number, seconds=seconds, run=run))
        self.project.environment["GIT_COMMITTER_DATE"] = f"2026-01-01T00:{number:02d}:00Z"
        self.project.git("add", ".")
        self.project.git("commit", "-q", "-m", f"commit {number}")
        return self.project.git("rev-parse", "HEAD")

    def page(self, seconds, commits, code=0):
        environment = {**self.project.environment, "REPO": self.project.folder, "BENCH": self.program,
                       "LOG": self.path("log"), "CMAKE": "-DA=B"}
        done = subprocess.run([SCRIPT, self.path("out"), str(seconds), str(commits)], env=environment, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, code, (done.stdout, done.stderr))
        return done.stdout, done.stderr

    def measured(self):
        with open(self.path("log"), encoding="utf-8") as file:
            return file.read().split()

    def test_commits_take_turns_and_the_slower_one_is_named(self):
        self.commit_times(0, 0.00101)                            # too old
        for number in range(1, 6):
            self.commit_times(number, 0.00101)
        self.commit_times(6, 0.00101, file="README.md")          # changes no source
        self.commit_times(7, 0.00101, file="kernels/README.md")  # nor does this
        broken = self.commit_times(8, 0.00101, broken=True)
        slower = self.commit_times(9, 0.00152, file="cpu/lbp/a.h")
        for number in range(10, 14):
            self.commit_times(number, 0.00152)
        out, errors = self.page(100, 11)
        self.assertIn(f"{broken} does not build: ", errors)
        self.assertIn("10 programs after ", out)
        order = ["1", "2", "3", "4", "5", "9", "10", "11", "12", "13"]
        self.assertEqual(self.measured(), 4 * (order + order[::-1]))
        self.assertIn(slower[:7], out)
        self.assertRegex(out, r"1\.5\d×")
        self.assertTrue(os.path.exists(self.path("out/history.html")))
        self.project.check_clean()
        before = len(self.measured())
        again, _ = self.page(0, 11)                           # judges what is there
        self.assertEqual(len(self.measured()), before)
        self.assertIn(slower[:7], again)

    def test_one_round_is_too_few(self):
        self.commit_times(1, 0.00101)
        _, errors = self.page(0, 1, code=1)
        self.assertIn("fewer than two rounds", errors)


if __name__ == "__main__":
    if any(shutil.which(tool) is None for tool in ("git", "ninja")):
        print("skipped: needs git and ninja")
        raise SystemExit(77)
    main()
