"""usage: test_history.py BENCH. `bench history` on runs that are written here."""
import concurrent.futures
import fcntl
import glob
import gzip
import json
import math
import os
import re
import subprocess
import time

import e_divisive
from fake_project import CELL, main, ProjectTest, stored_run

COPY = "copy/omp/texture/64x64"
# Fixed noise of half a percent.
SEEN = r"none; \d+(\.\d+)?% would have been seen"
TOO_FEW = "none; too few commits to see any"
NOISE = [0.004, -0.003, 0.001, -0.005, 0.002, 0.005, -0.001, -0.004, 0.003, -0.002, 0.0, 0.0045]


class History(ProjectTest):
    def write_run(self, name, commit, cells, day=1, machine=(), dirty="no", **entry):
        facts = {"commit": commit, "dirty": dirty, "cpu_model": "Fake <CPU>", "cpu_count": 2,
                 "c_compiler": "GNU 12", "c_flags": "-O3", **dict(machine)}
        identity = [key for key in facts if key != "load"]
        os.makedirs(self.path(name), exist_ok=True)
        with open(self.path(name + "/results.json"), "w", encoding="utf-8") as file:
            file.write(stored_run({"date": f"2026-03-{day:02d}T00:00:00Z", "machine": facts,
                                   "machine_identity": identity}, cells, **entry))
        return self.path(name)

    def bench(self, *arguments, code=0, **environment):
        done = self.project.bench("history", *arguments, **environment)
        self.assertEqual(done[0], code, done)
        return done[1] if code == 0 else done[2]

    def add(self, *runs, code=0):
        return self.bench("add", *runs, "--folder", self.path("h"), code=code)

    def show(self, *more, code=0):
        return self.bench("--folder", self.path("h"), *more, code=code)

    def files(self):
        return sorted(glob.glob(self.path("h/*.jsonl")))

    def lines(self):
        with open(self.files()[0], encoding="utf-8") as file:
            return file.readlines()

    def add_commits(self, times):
        """Commits with these times, added in reverse: git says in which order they are."""
        hashes = [self.project.commit(seconds) for seconds in times]
        for i in reversed(range(len(times))):
            self.add(self.write_run(f"r{i}", hashes[i], {CELL: times[i], COPY: times[i]}))
        return hashes

    def test_the_step_is_at_its_commit(self):
        times = [(0.010 if i < 6 else 0.011) * (1 + NOISE[i]) for i in range(12)]
        hashes = self.add_commits(times)
        shown = self.show()
        self.assertRegex(shown, r"\n +12 +11.\d ms +%s 1.10× slower, p 0.0\d\d +%s\n"
                         % (hashes[6][:8], CELL))
        self.assertIn("Cells with a change point: 1 of 1, at p up to 0.05", shown)
        self.assertIn("random orders of the commits (E-divisive", " ".join(shown.split()))
        self.assertTrue(all(len(line) <= 80 for line in shown.splitlines()[3:-4]), shown)
        page = self.path("page.html")
        self.show("--html", page)
        with open(page, encoding="utf-8") as file:
            html = file.read()
        self.assertIn("Fake &lt;CPU&gt;", html)
        self.assertNotIn("<CPU>", html)
        self.assertEqual(html.count('<svg class="chart"'), 2)
        self.assertRegex(html, hashes[6][:8] + " 1.10× slower, p 0.0")
        finding = f"{hashes[6][:8]}: 1 cell 1.10× slower: {CELL}"
        self.assertIn(f"\n\n{finding}\n", shown)
        self.assertIn(f"<li>{finding}</li>", html)
        # The split is where the definition has it.
        self.assertEqual([place for _, place in e_divisive.splits([[math.log(t)] for t in times])], [6, 6])

    def add_launches(self, commits):
        """Commits with these launches, a run for each."""
        hashes = [self.project.commit(1) for _ in commits]
        self.add(*(self.write_run(f"r{i}-{j}", hashes[i], {CELL: seconds}, day=j + 1)
                   for i, launches in enumerate(commits) for j, seconds in enumerate(launches)))
        return hashes

    def test_p_is_that_of_the_definition(self):
        commits = [[5, 5.1, 4.9], [5.2], [4.8, 5], [2, 2.1], [2.2, 2.6, 2.3], [1.9], [2.4]]
        hashes = self.add_launches(commits)
        p, _, place = e_divisive.exact_p([[math.log(t) for t in launches] for launches in commits])
        shown = re.search(hashes[place][:8] + r" \S+ faster, p (0\.\d+)", self.show("--alpha", "0.2"))
        self.assertIsNotNone(shown)
        self.assertLess(abs(float(shown[1]) - p), 4 * math.sqrt(p * (1 - p) / 999) + 0.001)

    def test_all_launches_count_not_only_their_medians(self):
        hashes = self.add_launches(5 * [[0.0101, 0.010, 0.0102]] + 5 * [[0.0101, 0.008, 0.0125]])
        self.assertRegex(self.show(), hashes[5][:8] + " .*, p 0.0[0-4]")

    def test_noise_has_no_change(self):
        self.add_commits([0.010 * (1 + share) for share in NOISE])
        self.assertRegex(self.show(), r"\n +12 +\d+(\.\d+)? ms +%s +%s\n" % (SEEN, CELL))

    def test_launches_of_several_runs_of_a_commit_are_one_value(self):
        commit = self.project.commit(1)
        for i, seconds in enumerate((0.010, 0.030, 0.020)):
            self.add(self.write_run(f"r{i}", commit[:12], {CELL: seconds}, day=i + 1))
        self.assertRegex(self.show(), r"\n +1 +20(\.0)? ms +%s +%s\n" % (TOO_FEW, CELL))
        self.assertEqual({json.loads(line)["commit"] for line in self.lines()}, {commit})

    def test_the_newest_commits_are_looked_at(self):
        times = [(0.010 if i < 4 else 0.020) * (1 + NOISE[i]) for i in range(12)]
        self.add_commits(times)
        self.assertRegex(self.show("--last", "8"), r"\n +8 +20(\.\d)? ms +%s +%s\n" % (SEEN, CELL))

    def test_the_same_run_is_added_once(self):
        run = self.write_run("r", "a" * 40, {CELL: 0.01, COPY: 0.02})
        self.assertIn("2 cells added to", self.add(run))
        before = self.lines()
        self.assertIn("has this run of 2 cells already; nothing added", self.add(run))
        with open(run + "/results.json", "rb") as file:
            packed = gzip.compress(file.read())
        os.remove(run + "/results.json")
        with open(run + "/results.json.gz", "wb") as file:
            file.write(packed)
        self.assertIn("nothing added", self.add(run))
        self.assertEqual(self.lines(), before)

    def test_what_a_line_holds(self):
        self.add(self.write_run("r", "a" * 40, {CELL: 0.01, COPY: 0.02}))
        line, copy = (json.loads(text) for text in self.lines())
        self.assertTrue(copy.pop("roof"))
        self.assertRegex(line.pop("run"), "^[0-9a-f]{16}$")
        self.assertIn(line.pop("machine"), self.files()[0])
        self.assertEqual(line, {
            "version": 1, "commit": "a" * 40, "date": "2026-03-01T00:00:00Z",
            "machine_words": "Fake <CPU>, 2 threads", "build": "GNU 12 -O3", "cell": CELL,
            "input_hash": "0123456789abcdef", "mode": "hot", "launches_s": [0.01]})

    def test_times_with_and_without_the_host_have_a_line_each(self):
        for i, more in enumerate(({}, {"held": True})):
            self.add(self.write_run(f"r{i}", "abcdef%d" % i, {CELL: 0.01 + i}, day=i + 1, **more))
        self.assertEqual([json.loads(line).get("held") for line in self.lines()], [None, True])
        shown = self.show()
        for words in ("with", "without"):
            self.assertRegex(shown, rf"\n +1 .* {CELL}, {words} waiting for the host to launch kernels\n")

    def test_a_disturbed_time_is_stored_and_shown_as_one(self):
        for i, more in enumerate(({}, {"stolen_share": 0.5})):
            self.add(self.write_run(f"r{i}", "abcdef%d" % i, {CELL: 0.01 + i}, day=i + 1, **more))
        self.assertEqual([json.loads(line).get("disturbed") for line in self.lines()],
                         [None, "other guests of the host"])
        shown = self.show("--html", self.path("page.html"))
        self.assertRegex(shown, r"\n +2 +1.01 s, disturbed ")
        self.assertIn("1 of 2 times was disturbed and not looked at", shown)
        with open(self.path("page.html"), encoding="utf-8") as file:
            self.assertIn("1 of 2 times was disturbed and not looked at", file.read())

    def test_each_machine_and_build_has_a_file(self):
        for i, machine in enumerate(({}, {"load": 3}, {"c_flags": "-O2"}, {"cpu_count": 4})):
            self.add(self.write_run(f"r{i}", "abcdef%d" % i, {CELL: 0.01}, machine=machine))
        self.assertEqual(len(self.files()), 3)
        self.assertEqual(self.show().count("Fake <CPU>"), 3)

    def test_damaged_lines_are_named_and_the_rest_is_kept(self):
        for i in range(3):
            self.add(self.write_run(f"r{i}", "abcdef%d" % i, {CELL: 0.01 + i}, day=i + 1))
        lines = self.lines()
        damaged = [lines[0], "{\n", lines[1].replace("launches_s", "lunches"), "\n",
                   lines[2].replace(": [", ": [1e300,").replace(":[", ":[1e300,"), lines[2][:-20]]
        with open(self.files()[0], "w", encoding="utf-8") as file:
            file.writelines(damaged)
        done = self.project.bench("history", "--folder", self.path("h"))
        self.assertEqual(done[0], 0)
        self.assertRegex(done[1], r"\n +1 +10(\.0)? ms +%s +%s\n" % (TOO_FEW, CELL))
        self.assertEqual([text.split(":")[-1].split(" ", 1) for text in done[2].splitlines()], [
            ["2", "is not valid JSON or was cut off; it is left out"],
            ["3", 'has no list "launches_s" of times above 0 and at most 1e6 s; it is left out'],
            ["5", 'has no list "launches_s" of times above 0 and at most 1e6 s; it is left out'],
            ["6", "is not valid JSON or was cut off; it is left out"]])
        # Adding keeps what is there, and what was lost can be added again.
        self.assertIn("1 cell added", self.add(self.path("r2")))
        self.assertEqual("".join(self.lines()), "".join(damaged) + "\n" + lines[2])
        self.assertIn("nothing added", self.add(self.path("r2")))

    def test_several_add_at_once(self):
        runs = [self.write_run(f"r{i}", "abcdef%02d" % i, {CELL: 0.01, COPY: 1.0 + i}, day=i + 1)
                for i in range(16)]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(self.add, runs + runs))
        self.assertEqual(len(self.lines()), 32)
        self.assertEqual(len({json.loads(line)["run"] for line in self.lines()}), 16)
        self.assertEqual(glob.glob(self.path("h/*.part")), [])

    def test_who_adds_waits_for_who_is_adding(self):
        first, second = (self.write_run(f"r{i}", "abcdef%02d" % i, {CELL: 0.01}) for i in range(2))
        self.add(first)
        lock = self.path("h/.lock")
        with open(lock, "w", encoding="utf-8") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            with subprocess.Popen(
                    self.project.command("history", "add", second, "--folder", self.path("h")),
                    cwd=self.project.folder, env=self.project.environment, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE) as adding:
                while not any(os.path.realpath(name) == os.path.realpath(lock)
                              for name in glob.glob(f"/proc/{adding.pid}/fd/*")):
                    self.assertIsNone(adding.poll())
                    time.sleep(0.01)
                with self.assertRaises(subprocess.TimeoutExpired):
                    adding.communicate(timeout=1)
                before = self.lines()
                with open(self.files()[0], "w", encoding="utf-8") as file:
                    file.writelines(before + ['{"of": "the other"}\n'])
                fcntl.flock(held, fcntl.LOCK_UN)
                self.assertIn(b"1 cell added", adding.communicate(timeout=60)[0])
        self.assertEqual(len(self.lines()), 3)

    def test_a_folder_that_cannot_be_written_loses_nothing(self):
        run = self.write_run("r", "a" * 40, {CELL: 0.01})
        with open(self.path("h"), "w", encoding="utf-8") as file:
            file.write("no folder")
        self.add(run, code=5)
        self.show(code=5)

    def test_what_is_wrong_is_one_line(self):
        for arguments, code, fragment in (
                (["ad"], 2, "neither nothing nor add"),
                (["add"], 5, "no run has ended"),
                (["--commit", "abc"], 2, "--commit is of history add"),
                (["add", self.path("none")], 5, "none"),
                (["add", self.write_run("d", "a" * 40, {CELL: 1}, dirty="yes")], 2,
                 "changes that are in no commit"),
                (["add", self.write_run("u", "unknown", {CELL: 1})], 2, "'unknown' is no hash"),
                (["add", self.write_run("o", "--output=x", {CELL: 1})], 2, "is no hash"),
                (["add", self.write_run("e", "a" * 40, {})], 6, "no cell with a time")):
            error = self.bench(*arguments, code=code)
            self.assertIn(fragment, error)
            self.assertEqual(error.count("\n"), 1)
        self.assertIn("1 cell added", self.bench(
            "add", self.path("u"), "--commit", "abcdef12", "--folder", self.path("h")))
        os.mkdir(self.path("empty"))
        self.assertIn("has no cell", self.bench("--folder", self.path("empty"), code=3))

    def test_text_from_a_file_is_made_visible(self):
        self.add(self.write_run("r", "a" * 40, {"x/\x1b[31m/<b>": 0.01}))
        self.assertNotIn("\x1b[31m", self.show("--html", self.path("page.html")))
        with open(self.path("page.html"), encoding="utf-8") as file:
            self.assertNotIn("<b>", file.read())


if __name__ == "__main__":
    main()
