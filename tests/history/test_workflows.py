"""usage: test_workflows.py BENCH. The files of the pipelines: their keys, that no text from outside gets
into a script, and that the steps of the performance job run as they are written there, on a throw-away
repository."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

try:
    import yaml
except ImportError:
    print("skipped: needs python3-yaml")
    sys.exit(77)

from fake_project import CELL, main, ProjectTest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GITHUB = sorted(glob.glob(ROOT + "/.github/workflows/*.y*ml"))
GITLAB = ROOT + "/.gitlab-ci.yml"

WORKFLOW_KEYS = {"name", True, "permissions", "concurrency", "jobs"}  # YAML 1.1 reads `on` as true
JOB_KEYS = {"runs-on", "timeout-minutes", "env", "steps", "needs", "if"}
STEP_KEYS = {"name", "uses", "with", "run", "env", "if"}
GITLAB_GLOBAL = {"default", "variables", "workflow"}
GITLAB_KEYS = {"image", "before_script", "script", "after_script", "cache", "rules", "artifacts", "stage",
               "timeout", "variables"}


def load(path):
    with open(path, encoding="utf-8") as file:
        return yaml.safe_load(file)


def script_faults(script):
    """What is wrong with lines for a shell."""
    if "${{" in script:
        yield f"an expression is put into a script: {script}"
    if subprocess.run(["bash", "-n", "-c", script], stderr=subprocess.DEVNULL, check=False).returncode:
        yield f"is no script: {script}"
    unquoted = re.sub(r'"[^"]*"|\'[^\']*\'', "", script)
    if "$" in unquoted:
        yield f"a variable without quotes: {script}"
    if re.search(r"\beval\b|\b(ba)?sh -c\b", script):
        yield f"runs text as a script: {script}"
    for path in re.findall(r"(?<![\w/.])(\./[\w./-]+|\.ci/[\w./-]+)", unquoted):
        if not os.access(os.path.join(ROOT, path), os.X_OK):
            yield f"{path} is no program here"


def step_faults(step):
    if not STEP_KEYS >= set(step) or ("run" in step) == ("uses" in step):
        yield f"a step has other keys: {sorted(step)}"
    if "uses" in step and not re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|[0-9a-f]{40})", step["uses"]):
        yield f"not a version: {step['uses']}"
    if "with" in step and "uses" not in step:
        yield "`with` is of `uses`"
    yield from script_faults(step["run"]) if "run" in step else ()


def github_faults(workflow):
    if not WORKFLOW_KEYS >= set(workflow) or not {True, "permissions", "jobs"} <= set(workflow):
        yield f"other keys: {sorted(map(str, workflow))}"
    if "pull_request_target" in str(workflow.get(True)):
        yield "pull_request_target runs others' code with this repository's rights"
    if set((workflow.get("permissions") or {"": "all"}).values()) != {"read"}:
        yield "may write"
    for job in workflow.get("jobs", {}).values():
        if not JOB_KEYS >= set(job) or not {"runs-on", "timeout-minutes", "steps"} <= set(job):
            yield f"a job has other keys: {sorted(job)}"
        for step in job.get("steps", ()):
            yield from step_faults(step)


def gitlab_faults(pipeline):
    for name, job in pipeline.items():
        if name in GITLAB_GLOBAL - {"default"}:
            continue
        if not GITLAB_KEYS >= set(job) or (name != "default" and "script" not in job):
            yield f"{name} has other keys: {sorted(job)}"
        for key in ("before_script", "script", "after_script"):
            for line in job.get(key, ()):
                yield from script_faults(line) if isinstance(line, str) else [f"no text: {line}"]


class Files(unittest.TestCase):
    def test_they_have_no_fault(self):
        self.assertTrue(GITHUB)
        for path in GITHUB:
            self.assertEqual(list(github_faults(load(path))), [], path)
        self.assertEqual(list(gitlab_faults(load(GITLAB))), [])

    def test_faults_are_found(self):
        def faults(change):
            workflow = load(GITHUB[0])
            change(workflow, workflow["jobs"]["performance"]["steps"])
            return list(github_faults(workflow))

        def run(text):
            return lambda workflow, steps: steps.append({"run": text})

        for change in (run("echo '${{ github.event.pull_request.title }}'"), run("echo $BASE"),
                       run("if true"), run("./nothing.sh"), run(".ci/setup.sh"), run('eval "$BASE"'),
                       lambda workflow, steps: steps.append({"uses": "actions/cache@main"}),
                       lambda workflow, steps: steps.append({"run": "true", "uses": "a/b@v1"}),
                       lambda workflow, steps: steps.append({"run": "true", "enviroment": 1}),
                       lambda workflow, steps: workflow.update(permissions={"contents": "write"}),
                       lambda workflow, steps: workflow.pop("permissions"),
                       lambda workflow, steps: workflow.update({True: ["pull_request_target"]}),
                       lambda workflow, steps: workflow["jobs"]["test"].pop("timeout-minutes")):
            self.assertTrue(faults(change))
        self.assertEqual(len(list(gitlab_faults({"a": {"script": ["echo $CI_COMMIT_TITLE"]}}))), 1)
        self.assertEqual(len(list(gitlab_faults({"a": {"scripts": ["true"]}}))), 1)


class Steps(ProjectTest):
    def setUp(self):
        super().setUp()
        self.summary = self.path("summary")
        self.tree = self.project.folder
        os.mkdir(self.tree + "/.ci")
        shutil.copy(ROOT + "/.ci/performance", self.tree + "/.ci/performance")
        self.project.write(".gitignore", "/build/\n/ci/\n/bench-history/\n")
        self.project.write("bench.sh", f"#!/bin/sh\nmkdir -p build/bin\nln -sf '{self.program}' build/bin/bench\n"
                           'exec build/bin/bench "$@"\n')
        os.chmod(self.tree + "/bench.sh", 0o755)

    def shell(self, script, **environment):
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script], cwd=self.tree, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False, timeout=300,
            env={**self.project.environment, **environment})

    def github(self, base):
        """The steps of the performance job that come after those which prepare the machine."""
        steps = {step["name"]: step for step in load(GITHUB[0])["jobs"]["performance"]["steps"]
                 if "name" in step}
        compare = steps["compare with the base"]
        self.assertEqual(compare["env"], {
            "BASE": "${{ github.event.pull_request.base.sha || github.event.before }}"})
        shutil.rmtree(self.tree + "/ci", ignore_errors=True)
        done = self.shell(compare["run"], BASE=base, GITHUB_STEP_SUMMARY=self.summary,
                          GITHUB_ACTIONS="true")
        added = self.shell(steps["add to the history"]["run"])
        self.assertEqual(added.returncode, 0, added.stdout)
        return done

    def gitlab(self, **environment):
        job = load(GITLAB)["performance"]
        shutil.rmtree(self.tree + "/ci", ignore_errors=True)
        done = self.shell("\n".join(job["script"]), **environment)
        added = self.shell("\n".join(job["after_script"]),
                           CI_COMMIT_SHA=self.project.commits[-1], **environment)
        self.assertEqual(added.returncode, 0, added.stdout)
        return done

    def history(self):
        lines = []
        for path in glob.glob(self.tree + "/bench-history/*.jsonl"):
            with open(path, encoding="utf-8") as file:
                lines += [json.loads(line) for line in file]
        return lines

    def test_github(self):
        commits = [self.project.commit(seconds) for seconds in (0.010, 0.012, 0.012)]
        done = self.github(commits[0])
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("::error title=slower::" + CELL, done.stdout)
        with open(self.summary, encoding="utf-8") as file:
            self.assertIn("### Performance regression", file.read())
        self.assertTrue(os.path.exists(self.tree + "/ci/junit.xml"))
        self.assertTrue(os.path.exists(self.tree + "/ci/history.html"))
        self.assertEqual([line["commit"] for line in self.history()], commits[2:] * 8)
        # Red once: the next push is compared with this one.
        commits.append(self.project.commit(0.0121))
        self.assertEqual(self.github(commits[2]).returncode, 0)
        self.assertEqual(len(self.history()), 16)
        # The first push of a branch.
        self.assertEqual(self.github("0" * 40).returncode, 0)

    def test_gitlab(self):
        commits = [self.project.commit(seconds) for seconds in (0.010, 0.012, 0.012)]
        done = self.gitlab(CI_MERGE_REQUEST_DIFF_BASE_SHA=commits[0], CI_MERGE_REQUEST_IID="7")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(self.history(), [])
        self.assertEqual(self.gitlab(CI_COMMIT_BEFORE_SHA=commits[0]).returncode, 1)
        self.assertEqual(len(self.history()), 8)

    def test_a_first_commit_has_nothing_to_compare(self):
        self.project.commit(0.010)
        done = self.shell('.ci/performance "$BASE" --algo lbp', BASE="")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("nothing to compare", done.stdout)

    def test_what_the_steps_measure_is_there(self):
        script = load(GITHUB[0])["jobs"]["performance"]["steps"]
        lines = [step["run"] for step in script if ".ci/performance" in step.get("run", "")]
        lines += [line for line in load(GITLAB)["performance"]["script"]]
        for line in lines:
            options = re.search(r"(--algo .*)", line, re.S).group(1).split()
            done = subprocess.run([self.program, "run", *options, "--dry-run"], check=False, cwd=self.tree,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)


FORMS = {"c": "--language=c", "c++": "--language=c++", "cuda": "--language=cuda", "full": "--full",
         "opencv": "--opencv"}

# The program with less to do: the lines of a pipeline stay as they are.
LESS = """#!/bin/sh
case $1 in verify) set -- "$@" --shapes 33x17 ;; esac
for word; do
    shift
    case $word in
        5min) word=1ms ;;
        1080p | 1080p,4K) word=64x64 ;;
    esac
    set -- "$@" "$word"
done
case $1 in
    run) set -- "$@" --no-plot --launches 1 --no-roof --variants seq --reps 3 ;;
    ci) set -- "$@" --no-roof --variants seq --reps 3 ;;
esac
exec '%s' "$@"
"""


class Written(ProjectTest):
    """The files that `bench new-algorithm` writes."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("less"))
        self.project.write("../less/bench", LESS % self.program)
        os.chmod(self.path("less/bench"), 0o755)
        self.project.environment["XDG_CACHE_HOME"] = self.path("cache")

    def write(self, form):
        """A repository with that form as its first commit."""
        self.project.folder = self.path(form)
        done = subprocess.run([self.program, "new-algorithm", "mine", self.project.folder, FORMS[form]],
                              check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.project.git("init", "-q", "-b", "main")
        self.commit()

    def commit(self):
        self.project.git("add", ".")
        self.project.git("commit", "-q", "-m", "x")

    def github(self):
        """The commands of the steps behind the one that installs bench, and the environment of the last."""
        steps = load(self.project.folder + "/.github/workflows/bench.yml")["jobs"]["bench"]["steps"]
        names = [step.get("name") for step in steps]
        self.assertEqual(names, [None, None, "bench", "verify", "measure", "compare", None])
        self.assertEqual(steps[0]["with"], {"fetch-depth": 0})
        self.assertEqual(steps[5]["env"], {"BASE": "${{ github.event.pull_request.base.sha || github.event.before }}"})
        return "".join(step["run"].rstrip("\n") + "\n" for step in steps[3:6])

    def gitlab(self):
        script = load(self.project.folder + "/.gitlab-ci.yml")["bench"]["script"]
        first = [line.startswith(("bench verify", "cmake -B")) for line in script].index(True)
        return "\n".join(script[first:]) + "\n"

    def run_script(self, script, code, **environment):
        for name in ("run", "ci"):
            shutil.rmtree(os.path.join(self.project.folder, name), ignore_errors=True)
        path = self.path("less") + ":" + os.environ["PATH"]
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=self.project.folder, check=False,
                              env={**self.project.environment, "PATH": path, "BENCH_RUNS": "bench-runs", **environment}, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def test_they_have_no_fault(self):
        for form in FORMS:
            with self.subTest(form):
                self.write(form)
                github, gitlab = self.github(), self.gitlab()
                self.assertEqual(list(github_faults(load(self.project.folder + "/.github/workflows/bench.yml"))), [])
                self.assertEqual(list(gitlab_faults(load(self.project.folder + "/.gitlab-ci.yml"))), [])
                for text in (github, gitlab):
                    self.assertNotRegex(text, "blur|@")
                    lines = [line for line in text.splitlines() if line.startswith("bench ci")]
                    self.assertEqual(len(lines), 1, text)
                    self.assertIn("nothing to compare", self.run_script(lines[0], 0, BASE="HEAD"))

    def test_what_runners_lack_is_installed(self):
        for form, package in (("cuda", "nvidia-cuda-toolkit"), ("opencv", "libopencv-dev"), ("c", None)):
            self.write(form)
            for name in (".github/workflows/bench.yml", ".gitlab-ci.yml"):
                with open(os.path.join(self.project.folder, name), encoding="utf-8") as file:
                    packages = re.findall(r"sudo apt-get install -y ([\w-]+)", file.read())
                self.assertEqual(packages, [package] if package else [])

    def test_they_find_a_slowdown(self):
        self.write("c")
        zeros = "0" * 40
        for script, environment in ((self.github(), {"BASE": zeros}), (self.gitlab(), {"CI_COMMIT_BEFORE_SHA": zeros})):
            self.assertIn("nothing to compare", self.run_script(script, 0, **environment))
            self.assertTrue(os.path.exists(self.project.folder + "/run/results.json"))
            self.assertEqual(self.project.git("status", "--porcelain"), "")
        with open(self.project.folder + "/mine.c", encoding="utf-8") as file:
            text = file.read()
        changed = text.replace("count++;", "count++; for (volatile int i = 0; i < 30; i++) {}")
        self.assertNotEqual(text, changed)
        self.project.write("mine.c", changed)
        self.commit()
        before = self.project.git("rev-parse", "HEAD^")
        for script, environment in ((self.github(), {"BASE": before}),
                                    (self.gitlab(), {"CI_MERGE_REQUEST_DIFF_BASE_SHA": before})):
            self.assertIn("slower", self.run_script(script, 1, **environment))
            self.assertTrue(os.path.exists(self.project.folder + "/ci/junit.xml"))


if __name__ == "__main__":
    main()
