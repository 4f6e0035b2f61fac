#!/usr/bin/env python3
"""reports/check_results.py on the committed results, and on small ones made here that are wrong.

    test_check_results.py ROOT
"""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

COMMIT, OTHER = "1234567890", "abcdef1234"
HEAD = "# words\n\ncommit 1234567\nmachine gpu: A GPU, 1 GPU, 16 processors\n"


def write_run(folder, commit=COMMIT, model="A GPU", processors=16, dirty="no"):
    folder.mkdir(parents=True)
    facts = {"commit": commit, "gpu_model": model, "cpu_count": processors, "dirty": dirty}
    run = {"context": {"machine": facts}, "benchmarks": [{"algorithm": "lbp", "launches": 6}, {"algorithm": "copy", "launches": 5}, {}]}
    with gzip.open(folder / "results.json.gz", "wt") as file:
        json.dump(run, file)


def write_results(root, record=""):
    """Two runs, a study of one run and another step, and a file."""
    (root / "gpu" / "study" / "runs" / "classify").mkdir(parents=True)
    write_run(root / "gpu" / "lbp")
    write_run(root / "gpu" / "study" / "runs" / "times")
    write_run(root / "four" / "lbp", OTHER, "Four", 64)
    (root / "gpu" / "study" / "study.json").write_text("{}")
    (root / "gpu" / "study" / "runs" / "classify" / "outcome.json").write_text("{}")
    (root / "four" / "roof.txt").write_text("ceilings\n")
    (root / "reference.txt").write_text(HEAD + (record or "elsewhere four: four GPUs\n"))


def check(script, root):
    done = subprocess.run([sys.executable, script, root], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def holds(script, record, change=None, words=None):
    """What a change of the results or of the record is answered with; None: nothing."""
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch) / "results"
        write_results(root, record)
        if change is not None:
            change(root)
        code, out, err = check(script, root)
    assert code == (1 if words else 0), (record, words, out, err)
    assert words is None or words in err, (words, err)
    return out


def remove_run(root, name):
    (root / name / "results.json.gz").unlink()
    (root / name).rmdir()


def replaced(name, **facts):
    def change(root):
        remove_run(root, name)
        write_run(root / name, **facts)
    return change


def check_small(script):
    out = holds(script, "")
    assert "3 of 5 results are of commit 1234567; 0 errors" in out, out
    assert "four/roof.txt" in out and "Four, 64 processors" in out and "gpu/study/runs/classify" in out, out
    assert "  A GPU, 16 processors  5         reference" in out, out
    four = "elsewhere four: four GPUs\n"
    not_marked = "is not of the reference, and no line"
    holds(script, four, replaced("gpu/lbp", commit=OTHER), "gpu/lbp " + not_marked)
    holds(script, four, replaced("gpu/lbp", commit=""), "gpu/lbp " + not_marked)
    holds(script, four, replaced("gpu/lbp", commit="123456"), "gpu/lbp " + not_marked)
    holds(script, four, replaced("gpu/lbp", dirty="yes"), "gpu/lbp " + not_marked)
    holds(script, four, replaced("gpu/lbp", processors=32), "gpu/lbp " + not_marked)
    holds(script, four, replaced("gpu/lbp", model="B GPU"), "gpu/lbp " + not_marked)
    holds(script, four, lambda root: (root / "gpu" / "new.txt").write_text("12 ms\n"), "gpu/new.txt " + not_marked)
    holds(script, four, lambda root: (root / "gpu" / "new.txt").write_text("of commit 1234567\n12 ms\n"))
    # A step without a run is not of the reference where the runs of its study are of two commits.
    holds(script, four + "elsewhere gpu/study: another day\n",
          lambda root: write_run(root / "gpu" / "study" / "runs" / "second", OTHER))
    holds(script, four, lambda root: write_run(root / "gpu" / "study" / "runs" / "second", OTHER),
          "gpu/study/runs/classify " + not_marked)
    # The inner mark counts; a mark must say something that is so.
    holds(script, four + "elsewhere gpu/lbp: older: waits\n", replaced("gpu/lbp", commit=OTHER))
    holds(script, four + "elsewhere gpu/lbp: older\n", None, "but gpu/lbp is of the reference")
    holds(script, four + "elsewhere gpu: another day\n", None, "but gpu/lbp is of the reference")
    holds(script, four + "elsewhere five: four GPUs\n", None, "marks five, which has no result")
    holds(script, "elsewhere four: because\n", None, "is no line of it")
    holds(script, four + four, None, "or the second of its kind")
    holds(script, "commit 1234567\n", None, "or the second of its kind")
    holds(script, four, lambda root: (root / "reference.txt").write_text("# nothing\n"), "names no commit")
    holds(script, four, lambda root: (root / "reference.txt").unlink(), "reference.txt")


def check_changes(script):
    """The commits to the sources of a run's algorithms, in a repository of their own."""
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)

        def git(*words):
            who = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
            return subprocess.run(["git", "-C", root, *who, *words], check=True, capture_output=True,
                                  text=True).stdout.strip()

        git("init", "-q")
        for number, name in enumerate(["kernels/lbp/a.cu", "cpu/lbp/a.c", "cpu/haar/a.c", "kernels/lbp/b.cu"]):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("\n")
            git("add", ".")
            git("commit", "-q", "-m", name)
            first = git("rev-parse", "HEAD") if number == 0 else first
        write_run(root / "results" / "gpu" / "lbp", first)
        (root / "results" / "reference.txt").write_text(HEAD.replace("1234567", first))
        git("add", ".")
        # A file that git does not know is no committed result.
        (root / "results" / "gpu" / "new.txt").write_text("12 ms\n")
        code, out, err = check(script, root / "results")
        assert code == 0 and "lbp 2" in out, (out, err)


def main():
    root = pathlib.Path(sys.argv[1])
    check_small(root / "reports" / "check_results.py")
    check_changes(root / "reports" / "check_results.py")
    done = subprocess.run([root / "reports" / "measure.sh", "--check"], capture_output=True, text=True, check=False)
    print(done.stdout.splitlines()[-1] if done.stdout else "")
    print(done.stderr, end="", file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
