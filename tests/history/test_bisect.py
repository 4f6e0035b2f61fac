"""usage: test_bisect.py BENCH. `bench bisect` on a repository with planted times."""
import os
import signal
import subprocess
import time

from fake_project import CELL, CELLS, main, ProjectTest


class Bisect(ProjectTest):
    def bisect(self, *more, **environment):
        commits = self.project.commits
        return self.project.bench("bisect", commits[0], commits[-1], "--quiet", *more, *CELLS,
                                  **environment)

    def check(self, outcome, code, *fragments):
        self.assertEqual(outcome[0], code, outcome)
        for fragment in fragments:
            self.assertIn(fragment, outcome[1] + outcome[2])
        self.project.check_clean()

    def test_finds_the_planted_commit_wherever_it_is(self):
        for planted in (1, 4, 7):
            with self.subTest(planted=planted):
                self.project.commits.clear()
                for i in range(8):
                    self.project.commit(0.010 if i < planted else 0.011, f"number {i}, {planted}")
                found = self.project.commits[planted][:8]
                self.check(self.bisect(), 0, f"{found}  is the commit that changed it:  "
                           f"number {planted}, {planted}\n",
                           f"against the commit before: {CELL}: 1.10× slower (1.0",
                           "p 0.00016 of 8 launches a side")

    def test_measures_old_new_new_old(self):
        log = os.path.join(self.project.temporary, "..", "log")
        for seconds in (0.010, 0.011):
            self.project.commit(seconds)
        self.check(self.bisect("--launches", "6", FAKE_LOG=log), 0)
        with open(log, encoding="utf-8") as file:
            sides = [line.split("/")[-2] for line in file]
        self.assertEqual(sides, ["old", "new", "new", "old"] * 6)  # both ends, and the pair again

    def test_finds_what_became_faster(self):
        for i in range(5):
            self.project.commit(0.010 if i < 2 else 0.007)
        self.check(self.bisect(), 0, self.project.commits[2][:8] + "  is the commit", "1.43× faster")

    def test_follows_the_cell_that_changed_most(self):
        """One 1.5 times slower, one 3 times faster."""
        for i in range(2):
            self.project.commit({CELL: (0.010, 0.015)[i], "lbp/other/texture/64x64": (0.030, 0.010)[i]})
        self.check(self.bisect("--launches", "6"), 0, "good and bad differ: lbp/other/texture/64x64: 3.00× faster")

    def test_skips_what_is_broken(self):
        for i in range(7):
            more = {"broken": 1} if i == 3 else {"crash": 1} if i == 2 else {}
            self.project.commit(0.010 if i < 5 else 0.012, **more)
        self.check(self.bisect(), 0, self.project.commits[3][:8] + "  cannot be built, skipped",
                   self.project.commits[5][:8] + "  is the commit", "this commit is broken")

    def test_skips_what_has_not_the_cell(self):
        for i in range(6):
            self.project.commit({CELL if i != 3 else "lbp/other/texture/64x64": 0.010 if i < 5 else 0.012})
        self.check(self.bisect(), 0, self.project.commits[3][:8] + "  cannot be measured, skipped",
                   self.project.commits[5][:8] + "  is the commit", "no cell in common")

    def test_skips_what_gives_a_wrong_answer(self):
        for i in range(5):
            self.project.commit({} if i == 2 else {CELL: 0.010 if i < 4 else 0.012},
                                **({"failed": {CELL: "it differs"}} if i == 2 else {}))
        self.check(self.bisect("--launches", "6"), 0, f"{CELL} failed: it differs",
                   self.project.commits[2][:8] + "  cannot be measured, skipped",
                   self.project.commits[4][:8] + "  is the commit")
        del self.project.commits[3:]
        self.check(self.bisect("--launches", "6"), 4, f"{CELL} failed: it differs")

    def test_names_all_that_are_left_where_those_between_are_broken(self):
        for i in range(4):
            self.project.commit(0.010 if i < 3 else 0.012, **({"broken": 1} if i in (1, 2) else {}))
        commits = self.project.commits
        self.check(self.bisect(), 7, "in one of these commits", commits[1][:8] + "  was skipped",
                   commits[3][:8] + "  is like the bad end")

    def test_a_change_in_steps_is_no_single_commit(self):
        for i in range(6):  # 40 % of the change are behind the third, 60 % behind the fourth
            self.project.commit(0.010 * 1.03 ** i)
        self.check(self.bisect(), 7, self.project.commits[3][:8] + "  crosses the middle")

    def test_a_commit_belongs_to_the_end_that_it_is_nearer_to(self):
        """Of a change in two steps, of 20 and 80 % or the other way round, the larger is found."""
        for share, found in ((0.2, 2), (0.8, 1)):
            with self.subTest(share=share):
                self.project.commits.clear()
                for part in (0, share, 1):
                    self.project.commit(0.010 * 1.3 ** part, f"{part} of the change, {share}")
                commits = self.project.commits
                end = "bad" if share > 0.5 else "good"
                self.check(self.bisect("--launches", "6"), 0,
                           f"{commits[found][:8]}  is the commit that changed it:",
                           f"{commits[1][:8]}  new/old {1.3 ** share:.3f}, like the {end} end")

    def test_equal_ends_are_not_searched(self):
        for _ in range(4):
            self.project.commit(0.010)
        self.check(self.bisect(), 3, "good and bad do not surely differ")

    def test_a_roof_decides_nothing(self):
        for i in range(3):
            self.project.commit({CELL: 0.010, "copy/omp/texture/64x64": 0.010 * (i + 1)})
        self.check(self.bisect(), 3, "good and bad do not surely differ: of 1 cell")

    def test_an_end_that_cannot_be_built_ends_it(self):
        self.project.commit(0.010, broken=1)
        self.project.commit(0.011)
        self.check(self.bisect(), 6, "cannot be built")

    def test_merged_branches_are_one_commit(self):
        self.project.commit(0.010)
        self.project.git("checkout", "-q", "-b", "side")
        self.project.commit(0.020)
        self.project.commit(0.012)
        self.project.git("checkout", "-q", "main")
        self.project.git("merge", "-q", "--no-ff", "-m", "merge of side", "side")
        self.project.commits.append(self.project.git("rev-parse", "HEAD"))
        self.check(self.bisect(), 0, "is the commit that changed it:  merge of side")

    def test_what_is_wrong_is_one_line(self):
        for seconds in (0.010, 0.011):
            self.project.commit(seconds)
        first, last = self.project.commits
        bench = self.project.bench
        self.check(bench("bisect", first, "nothing", *CELLS), 2, "'nothing' is no commit")
        self.check(bench("bisect", first, "--", "-q"), 2, "name two commits")
        self.check(bench("bisect", last, first, *CELLS), 2, "is no earlier commit")
        self.check(bench("bisect", first, last), 2, "behind --")
        self.check(bench("bisect", first, last, "--algo", *CELLS), 2, "unknown option '--algo'")
        self.check(bench("bisect", first, last, "lbp", *CELLS), 2, "unexpected argument 'lbp'; name two commits")
        self.check(bench("bisect", first, last, "--", "--algo", "lpb"), 2, "did you mean 'lbp'")
        self.check(bench("bisect", first, last, *CELLS, "--out", "x"), 2, "not --out")
        self.check(bench("bisect", first, last, "--launches", "5", *CELLS), 2, "from 6 to")
        self.check(bench("bisect", first, last, "--program", "bin/other", "--quiet", *CELLS), 6,
                   "has no program bin/other")

    def test_an_interrupt_leaves_nothing_behind(self):
        for i in range(4):
            self.project.commit(0.010 * (i + 1))
        log = os.path.join(self.project.temporary, "..", "log")
        for number, launches in ((signal.SIGINT, {"FAKE_HANGS": "1"}), (signal.SIGTERM, {"FAKE_SLEEP": "0.01"})):
            with self.subTest(signal=number), subprocess.Popen(
                    self.project.command("bisect", *self.project.commits[::3], "--quiet", *CELLS),
                    cwd=self.project.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    env={**self.project.environment, "FAKE_LOG": log, **launches}) as run:
                while not os.path.exists(log):
                    self.assertIsNone(run.poll(), run.returncode)
                    time.sleep(0.02)
                run.send_signal(number)
                errors = run.communicate(timeout=60)[1]
                self.assertEqual(run.returncode, 130, errors)
                self.project.check_clean()
                os.remove(log)


    def test_an_interrupt_ends_a_build_with_all_that_it_started(self):
        for i in range(2):
            self.project.commit(0.010 * (i + 1), slow_build=1)
        log = os.path.join(self.project.temporary, "..", "log")
        with subprocess.Popen(
                self.project.command("bisect", *self.project.commits, "--quiet", *CELLS),
                cwd=self.project.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env={**self.project.environment, "FAKE_LOG": log}) as run:
            while not os.path.exists(log) or os.path.getsize(log) == 0:
                self.assertIsNone(run.poll(), run.returncode)
                time.sleep(0.02)
            with open(log, encoding="utf-8") as file:
                shell = int(file.read())
            run.send_signal(signal.SIGTERM)
            errors = run.communicate(timeout=60)[1]
            self.assertEqual(run.returncode, 130, errors)
            self.project.check_clean()
        for _ in range(500):
            try:
                with open(f"/proc/{shell}/stat", encoding="utf-8") as file:
                    if file.read().rpartition(")")[2].split()[0] in "ZX":
                        return
            except FileNotFoundError:
                return
            time.sleep(0.02)
        self.fail("what the build started goes on")


if __name__ == "__main__":
    main()
