"""usage: test_ci.py BENCH. `bench ci` on a repository with planted times."""
import os
import xml.etree.ElementTree

from fake_project import CELL, CELLS, main, ProjectTest

COPY = "copy/omp/texture/64x64"


class Ci(ProjectTest):
    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def ci(self, *more, code, base=None, **environment):
        done = self.project.bench("ci", "--base", base or self.project.commits[0], "--out",
                                  self.path("out"), "--quiet", *more, *CELLS, **environment)
        self.assertEqual(done[0], code, done)
        self.project.check_clean()
        return done[1] + done[2]

    def cases(self, name="out/junit.xml"):
        suite = xml.etree.ElementTree.parse(self.path(name)).getroot().find("testsuite")
        return {case.get("name"): [child.tag for child in case] for case in suite}, suite.attrib

    def test_a_regression(self):
        self.project.commit({CELL: 0.010, COPY: 0.001})
        self.project.commit({CELL: 0.012, COPY: 0.001}, "slower <b> | `x`")
        with open(self.path("summary"), "w", encoding="utf-8") as file:
            file.write("before\n")
        text = self.ci(code=1, GITHUB_STEP_SUMMARY=self.path("summary"), GITHUB_ACTIONS="true")
        self.assertIn("slower  ", text)
        self.assertIn(f"::error title=slower::{CELL}: 1.20× slower", text)
        summary = self.read("summary")
        self.assertTrue(summary.startswith("before\n- old `"))
        self.assertIn("### Performance regression\n", summary)
        self.assertIn("slower &lt;b> | \\`x\\`", summary)
        self.assertEqual("before\n" + self.read("out/comparison.md"), summary)
        self.assertEqual(self.cases()[0], {CELL: ["failure"]})

    def launches(self):
        return [len(os.listdir(self.path(os.path.join("out", side)))) for side in ("old", "new")]

    def test_a_budget(self):
        """However little time there is, as many launches as can show a change of one cell."""
        self.project.commit(0.010)
        self.project.commit(0.012)
        self.assertIn("1 cell: 1 slower", self.ci("--budget", "1ms", code=1))
        self.assertEqual([6, 6], self.launches())
        self.ci("--budget", "1ms", "--alpha", "0.0001", code=1)
        self.assertEqual([9, 9], self.launches())
        self.project.commit(0.012)
        text = self.ci("--budget", "1ms", "--strict", code=0, base=self.project.commits[-2])
        self.assertIn("would have been found in 80% of comparisons", text)
        code, _, errors = self.project.bench("ci", "--base", "HEAD^", "--budget", "5",
                                             "--launches", "8", *CELLS)
        self.assertEqual(2, code)
        self.assertIn("--budget and --launches cannot be combined", errors)

    def test_no_regression_and_no_github(self):
        for seconds in (0.010, 0.0101):
            self.project.commit(seconds)
        text = self.ci("--junit", self.path("report.xml"), code=0)
        self.assertNotIn("::", text)
        self.assertIn("1 cell: 0 slower, 0 faster, 1 same", text)
        self.assertRegex(text, r"\nno change seen; \d[\d.]*% or more would have been\n$")
        self.assertEqual(self.cases("report.xml")[0], {CELL: []})
        self.assertFalse(os.path.exists(self.path("out/junit.xml")))

    def test_a_roof_decides_nothing(self):
        self.project.commit({CELL: 0.010, COPY: 0.001})
        self.project.commit({CELL: 0.010, COPY: 0.002})
        self.assertIn("1 roof, not judged", self.ci("--strict", code=0))

    def test_an_undecided_cell(self):
        for seconds in (0.010, 0.0106):
            self.project.commit(seconds)
        text = self.ci("--alpha", "0.0001", code=0)
        self.assertIn("undecided", text)
        self.assertIn("no change seen; none could have been\nbench: warning: 1 of 1 cell could not have shown any "
                      "change: too few launches; for 1 cell, 9 a side can\n", text)
        self.assertIn("::warning title=too few launches::1 of 1 cell could",
                      self.ci("--alpha", "0.0001", code=0, GITHUB_ACTIONS="true"))
        self.ci("--alpha", "0.0001", "--strict", code=7)

    def test_an_accepted_regression(self):
        other = "lbp/omp/texture/64x64"
        self.project.commit({CELL: 0.010, other: 0.010})
        self.project.commit({CELL: 0.012, other: 0.010},
                            "correct\n\nText.\n\nBench-Accept: lbp/seq/* the answer was wrong")
        text = self.ci(code=0, GITHUB_ACTIONS="true")
        self.assertRegex(text, r"accepted +10\.\d+ ms")
        self.assertIn(f"{CELL}: the answer was wrong", text)
        self.assertIn(f"::warning title=slower and accepted::{CELL}", text)
        self.assertIn("accepted: the answer was wrong", self.read("out/comparison.md"))
        cases, facts = self.cases()
        self.assertEqual(cases, {CELL: ["skipped"], other: []})
        self.assertEqual((facts["failures"], facts["skipped"]), ("0", "1"))
        # Only what is named, and only with a reason.
        self.project.commit({CELL: 0.012, other: 0.012}, "x\n\nBench-Accept: lbp/omp/texture/64x64")
        text = self.ci(code=1)
        self.assertIn("has no reason and accepts nothing", text)
        # The next commit is compared with the one before it: nothing is red for ever.
        self.project.commit({CELL: 0.012, other: 0.0121}, "y")
        self.ci(code=0, base=self.project.commits[-2])

    def test_words_in_the_text_of_a_message_accept_nothing(self):
        self.project.commit(0.010)
        self.project.commit(0.012, "x\n\nBench-Accept: * because\nis how to accept it.\n\nEnd of it.")
        self.ci(code=1)

    def test_the_base_is_where_the_histories_part(self):
        self.project.commit(0.010)
        self.project.git("checkout", "-q", "-b", "change")
        self.project.commit(0.0101)
        self.project.git("checkout", "-q", "main")
        self.project.commit(0.002)
        self.project.git("checkout", "-q", "change")
        self.ci(code=0, base="main")

    def test_nothing_to_compare(self):
        self.project.commit(0.010)
        text = self.ci(code=0, GITHUB_STEP_SUMMARY=self.path("summary"))
        self.assertIn("nothing to compare", text)
        self.assertIn("nothing to compare", self.read("summary"))

    def test_other_flags_are_part_of_the_change(self):
        self.project.commit(0.010, flags="-O2")
        self.project.commit(0.012, flags="-O3")
        self.assertIn("compared all the same: c_flags differs", self.ci(code=1))

    def test_what_cannot_be_built_or_measured(self):
        self.project.commit(0.010)
        self.project.commit(0.011, broken=1)
        text = self.ci(code=6)
        self.assertIn("cannot be built", text)
        self.assertIn("this commit is broken", text)
        self.project.commit(0.011, crash=1)
        self.assertIn("exit code 1: bench: the answer is wrong", self.ci(code=4))

    def test_a_wrong_answer_is_a_failure(self):
        other = "lbp/omp/texture/64x64"
        self.project.commit({CELL: 0.010, other: 0.010})
        self.project.commit({CELL: 0.012}, failed={other: "its answer differs"})
        text = self.ci(code=4, GITHUB_STEP_SUMMARY=self.path("summary"), GITHUB_ACTIONS="true")
        self.assertIn(f"Failed in the new run\n  {other}: its answer differs\n", text)
        self.assertIn(f"::error title=failed::{other}: its answer differs", text)
        self.assertIn(f"bench: 1 of 2 cells failed in the new run; the first is {other}: its answer differs\n", text)
        self.assertIn(f"::error title=slower::{CELL}", text)
        self.assertIn("\n1 cell failed, 1 slower\n", text)
        self.assertIn("### Failed cells, and a performance regression\n", self.read("summary"))
        cases, facts = self.cases()
        self.assertEqual(cases, {CELL: ["failure"], other: ["failure"]})
        self.assertEqual((facts["failures"], facts["skipped"]), ("2", "0"))
        # What the base got wrong already is still wrong; what the head mended is new.
        self.project.commit({CELL: 0.012}, failed={other: "its answer still differs"})
        self.assertIn("in the old run too: its answer still differs",
                      self.ci(code=4, base=self.project.commits[-2]))
        self.project.commit({CELL: 0.012, other: 0.010})
        self.assertIn("failed in the old run: its answer still differs",
                      self.ci(code=0, base=self.project.commits[-2]))

    def test_a_program_that_writes_nothing_is_no_comparison(self):
        self.project.commit(0.010)
        self.project.commit(0.010, lost=1)
        self.assertIn("exit code 4: bench: the device is lost", self.ci(code=4))

    def test_what_is_wrong_is_one_line(self):
        self.project.commit(0.010)
        bench = self.project.bench
        for arguments, fragment in ((["--", "--algo", "lbp"], "--base names the commit"),
                                    (["--base", "HEAD"], "behind --"),
                                    (["--base", "0" * 40, *CELLS], "is no commit"),
                                    (["--base", "--all", *CELLS], "--base needs a value"),
                                    (["--base=--all", *CELLS], "'--all' is no commit"),
                                    (["--base", "HEAD", *CELLS, "--pass=2"], "--launches, --budget, --pass,"),
                                    (["word", "--base", "HEAD", *CELLS], "word")):
            code, out, errors = bench("ci", *arguments)
            self.assertEqual((code, out, errors.count("\n")), (2, "", 1), errors)
            self.assertIn(fragment, errors)
        code, _, errors = bench("ci", "--repo", "/", "--base", "HEAD", *CELLS)
        self.assertEqual(code, 2, errors)
        self.assertIn("/: not a git repository", errors)
        self.project.check_clean()


if __name__ == "__main__":
    main()
