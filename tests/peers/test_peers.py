#!/usr/bin/env python3
"""How peers are called, with a stand-in for NumPy (numpy.py beside this) in a Python of its own: what a run says of
them, that wrong ones fail, and that absent ones are skipped with what installs them.

    test_peers.py BENCH
"""
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import types

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = sys.argv[1]


def check(is_right, what):
    if not is_right:
        sys.exit(f"wrong: {what}")


class Place:
    """A folder with a Python that has no packages, or the stand-in."""

    def __init__(self, folder):
        self.folder = folder
        self.python = os.path.join(folder, "python")
        subprocess.run(["python3", "-m", "venv", "--without-pip", self.python], check=True)
        self.packages = subprocess.run(
            [os.path.join(self.python, "bin", "python3"), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            check=True, capture_output=True, text=True).stdout.strip()
        self.runs = 0

    def bench(self, *words, fake="", **more):
        environment = {**os.environ, "FAKE": fake, "BENCH_PYTHON": os.path.join(self.python, "bin", "python3"), **more}
        return subprocess.run([BENCH, *words], capture_output=True, text=True, env=environment, cwd=self.folder,
                              check=False)

    def run(self, *words, **more):
        """The exit code, the rows of the CSV, the entries of the JSON, and what was printed."""
        self.runs += 1
        out = f"run-{self.runs}"
        done = self.bench("run", *(() if "--algo" in words else ("--algo", "copy")), "--sizes", "64x48", "--launches", "1", "--reps", "3", "--no-roof",
                          "--no-plot", "--quiet", "--out", out, *words, **more)
        with open(os.path.join(self.folder, out, "results.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        with open(os.path.join(self.folder, out, "results.json"), encoding="utf-8") as file:
            entries = json.load(file)
        return done.returncode, rows, entries, done.stdout


def of(rows, variant):
    return [row for row in rows if row["variant"] == variant]


def absent_is_skipped(place):
    code, rows, _, said = place.run("--peers", "--variants", "seq")
    row = of(rows, "numpy")[0]
    check(code == 0 and row["status"] == "skip", row)
    check(row["why"] == "NumPy is not installed: 'bench peers --install' or 'pip install numpy'", row["why"])
    check(row["why"] in said.replace("\n  ", " "), said)
    check(row["library"] == "NumPy", row["library"])
    listed = place.bench("peers").stdout
    check("not installed" in listed, listed)


def each_is_skipped_where_it_is_absent(place):
    """All peers of all algorithms, in a Python without packages."""
    listed = [line.split() for line in place.bench("peers").stdout.splitlines()]
    peers = {(words[0], words[1]): words[2] for words in listed if len(words) > 3 and words[2] in ("CPU", "GPU")}
    check(len(peers) > 25 and {side for side in peers.values()} == {"CPU", "GPU"}, peers)
    code, rows, _, said = place.run("--algo", ",".join(dict.fromkeys(algorithm for algorithm, _ in peers)), "--peers",
                                    "--variants", "seq", "--images", "3", "--keypoints", "5", "--rounds", "1",
                                    "--candidates", "1", "--side", "8")
    check(code == 0, said)
    for algorithm, variant in peers:
        skipped = [row for row in of(rows, variant) if row["algorithm"] == algorithm]
        check(skipped and all(row["status"] == "skip" for row in skipped), (algorithm, variant, skipped))
        for row in skipped:
            check("is not installed: 'bench peers --install'" in row["why"] or peers[algorithm, variant] == "GPU", row)
            check(row["library"] != "" and row["kernel_ms_median"] == "", row)


def not_asked_is_not_there(place):
    _, rows, _, _ = place.run()
    check(not of(rows, "numpy") and of(rows, "seq"), rows)


def a_peer_has_a_row_with_its_version(place):
    code, rows, entries, said = place.run("--peers", "--variants", "seq", "--all")
    peer, own = of(rows, "numpy")[0], of(rows, "seq")[0]
    check(code == 0 and peer["status"] == "ok" and peer["verified"] == "yes", peer)
    check(peer["library"] == "NumPy 9.9.9" and peer["another_definition"] == "", peer)
    entry = [entry for entry in entries["benchmarks"] if entry["variant"] == "numpy"][0]
    check(entry["peer"] is True and entry["library"] == "NumPy 9.9.9", entry)
    check(all("peer" not in entry for entry in entries["benchmarks"] if entry["variant"] == "seq"), entries)
    check(own["best_cpu"] == "seq" and own["best_peer"] == "numpy", own)
    ratio = float(peer["kernel_ms_median"]) / float(own["kernel_ms_median"])
    check(abs(float(own["speedup_vs_best_peer"]) / ratio - 1) < 1e-3, own)
    check(peer["best_peer"] == "" and peer["best_cpu"] == "seq", peer)
    check("vs others" in said and "other people's code: numpy: NumPy 9.9.9" in said, said)
    # Its own copy is there afterwards, off the clock.
    check(peer["end_to_end_ms"] == peer["kernel_ms_median"], peer)


def a_study_has_them_by_default(place):
    """Beside the variants that a step names; not under a budget, nor where a step says how often it is launched."""
    os.mkdir(os.path.join(place.folder, "study"))
    with open(os.path.join(place.folder, "study", "study.txt"), "w", encoding="utf-8") as file:
        file.write('study study\ntitle "A copy"\n'
                   "step all run\n--algo copy\n--variants seq\n--sizes 64x48\n--reps 3\n--no-roof\n"
                   "step once run\n--algo copy\n--variants seq\n--sizes 64x48\n--launches 1\n--reps 3\n--no-roof\n"
                   "table times Times\nfrom all\nrow Copy variant=seq\ncolumn Time ms kernel_ms_median\n")
    done = place.bench("study", "./study", "--quick", "--out", "with")
    check(done.returncode == 0 and "note:" not in done.stderr, done.stderr)
    with open(os.path.join(place.folder, "with", "report.md"), encoding="utf-8") as file:
        report = file.read()
    check("## Other people's code" in report and "step all" in report and "NumPy 9.9.9 (numpy)" in report, report)
    check("step once" not in report and report.count("--peers") == 1, report)
    told = place.bench("study", "./study", "--quick", "--out", "told", "--dry-run", "--budget", "9s").stdout
    check("--budget" in told and "--peers" not in told, told)
    nothing = os.path.join(place.folder, "none", "bin", "python3")
    done = place.bench("study", "./study", "--quick", "--out", "without", BENCH_PYTHON=nothing)
    check(done.returncode == 0 and done.stderr.count("'bench peers --install'") == 1, done.stderr)
    with open(os.path.join(place.folder, "without", "report.md"), encoding="utf-8") as file:
        report = file.read()
    check("Other people" not in report and "--peers" not in report and "not installed" not in report, report)
    done = place.bench("study", "./study", "--quick", "--out", "unasked", BENCH_PYTHON="no-python")
    check(done.stderr.count("no other people's code, as Python cannot be asked what is installed: Python is needed, "
                            "but 'no-python' cannot be started: No such file") == 1, done.stderr)
    check("bench peers --install" not in done.stderr, done.stderr)


def a_call_of_many_seconds_is_refused():
    bench = types.ModuleType("bench")
    bench._runner = None
    with open(os.path.join(HERE, "..", "..", "bench", "peers", "peers.py"), encoding="utf-8") as file:
        text = file.read()
    peers = types.ModuleType("bench._peers")
    peers.__package__ = "bench"
    sys.modules["bench"] = bench
    exec(compile(text, "peers.py", "exec"), peers.__dict__)
    peers.within(4.9)
    try:
        peers.within(6.2)
    except NotImplementedError as error:
        check(str(error) == "a call would take about 6 seconds; 5 are the most", error)
    else:
        check(False, "a call of 6 seconds")


def named_ones_are_there_and_summed_up(place):
    code, rows, _, said = place.run("--variants", "seq,numpy")
    check(code == 0 and [row["variant"] for row in rows] == ["seq", "numpy"], rows)
    check("Over the best other code at 64x48: CPU" in said and "NumPy 9.9.9 (numpy)" in said, said)
    check("NumPy" in place.bench("show", f"run-{place.runs}").stdout, "a stored peer")


def faults_are_found(place):
    code, rows, _, _ = place.run("--variants", "seq,numpy", fake="wrong")
    check(code == 4, code)
    check(of(rows, "numpy")[0]["status"] == "fail" and "wrong answer" in of(rows, "numpy")[0]["why"], rows)
    _, rows, _, _ = place.run("--variants", "seq,numpy", fake="error")
    check(of(rows, "numpy")[0]["status"] == "fail" and "ValueError: boom" in of(rows, "numpy")[0]["why"], rows)
    code, rows, _, _ = place.run("--variants", "seq,numpy", fake="unable")
    check(code == 0 and of(rows, "numpy")[0]["status"] == "skip" and "not this size" in of(rows, "numpy")[0]["why"],
          rows)


def one_without_the_part_that_is_called_is_skipped(place):
    """OpenCV without its contrib modules has no TEBLID."""
    with open(os.path.join(place.packages, "cv2.py"), "w", encoding="utf-8") as file:
        file.write('__version__ = "5.0.0"\n')
    code, rows, _, _ = place.run("--algo", "bad", "--variants", "seq,opencv", "--keypoints", "5")
    row = of(rows, "opencv")[0]
    check(code == 0 and row["status"] == "skip" and "opencv-contrib-python-headless" in row["why"], row)


def compiled_ones_are_listed(place):
    """CUB is there where the program is built with CUDA."""
    lines = [line.split() for line in place.bench("peers").stdout.splitlines() if " cub " in line]
    check([line[:4] for line in lines] == [[name, "cub", "GPU", "CUB"] for name in ("lbp", "integral")], lines)
    check(all(line[4][0].isdigit() or line[4:6] == ["not", "built"] for line in lines), lines)
    code, rows, _, _ = place.run("--algo", "integral", "--variants", "seq,cub")
    row = of(rows, "cub")[0]
    check(code == 0 and row["library"].startswith("CUB") and row["status"] in ("ok", "skip"), row)
    check(not of(place.run("--algo", "integral")[1], "cub"), "measured unasked")


def where_python_cannot_be_asked_the_list_says_why(place):
    done = place.bench("peers", BENCH_PYTHON="no-python")
    check(done.returncode == 0 and "not installed" not in done.stdout, done.stdout)
    check(done.stdout.count(" not known ") > 25, done.stdout)
    check("\nWhat is installed is not known, as Python cannot be asked: Python is needed, but" in done.stdout,
          done.stdout)
    check("as Python cannot be asked" not in place.bench("peers").stdout, "said where it was asked")


def verified_like_others(place):
    done = place.bench("verify", "--algo", "copy", "--variants", "numpy", "--quick")
    check(done.returncode == 0 and "1 of 1 variants right" in done.stdout, done.stdout + done.stderr)
    done = place.bench("verify", "--algo", "copy", "--variants", "numpy", "--quick", fake="wrong")
    check(done.returncode == 4, done.stdout)


def listed_with_versions(place):
    listed = place.bench("peers").stdout
    line = [line.split() for line in listed.splitlines() if line.startswith("copy ")][0]
    check(line[:5] == ["copy", "numpy", "CPU", "NumPy", "9.9.9"], line)
    refused = place.bench("peers", "--install")
    check(refused.returncode == 2 and "BENCH_PYTHON" in refused.stderr, refused.stderr)


def interrupted_install_leaves_nothing(place):
    """A stand-in for venv makes a file in TMPDIR, as pip does, and half an environment, and waits to be killed."""
    programs, temporary = os.path.join(place.folder, "programs"), os.path.join(place.folder, "temporary")
    os.mkdir(programs)
    os.mkdir(temporary)
    stand_in = os.path.join(programs, "python3")
    with open(stand_in, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\necho x >"$TMPDIR/x"\nmkdir -p "$3/lib"\necho started\nexec sleep 60\n')
    os.chmod(stand_in, 0o755)
    environment = {**os.environ, "PATH": programs + ":" + os.environ["PATH"], "TMPDIR": temporary,
                   "XDG_CACHE_HOME": os.path.join(place.folder, "cache")}
    environment.pop("BENCH_PYTHON", None)
    with subprocess.Popen([BENCH, "peers", "--install"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=environment, cwd=place.folder) as started:
        check(started.stdout.readline() == "started\n", "the stand-in was not started")
        check(os.listdir(temporary) != [], "not in TMPDIR")
        check(os.listdir(os.path.join(place.folder, "cache", "bench", "peers")) == ["lib"], "no half environment")
        started.send_signal(signal.SIGINT)
        errors = started.communicate()[1]
    check((started.returncode, errors) == (130, "bench: interrupted\n"), (started.returncode, errors))
    check(os.listdir(temporary) == [], os.listdir(temporary))
    check(os.listdir(os.path.join(place.folder, "cache", "bench")) == [], "half an environment is left")


def one_of_two_packages_with_a_module_is_installed(place):
    """A stand-in for python3 makes an environment whose Python notes what it is asked for."""
    programs, log = os.path.join(place.folder, "noting"), os.path.join(place.folder, "noted")
    os.mkdir(programs)
    stand_in = os.path.join(programs, "python3")
    with open(stand_in, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\n[ "$2" = venv ] || exit 1\nmkdir -p "$3/bin"\n'
                   f'printf \'#!/bin/sh\\necho "$@" >>{log}\\n\' >"$3/bin/python3"\nchmod +x "$3/bin/python3"\n')
    os.chmod(stand_in, 0o755)
    environment = {**os.environ, "PATH": programs + ":" + os.environ["PATH"],
                   "XDG_CACHE_HOME": os.path.join(place.folder, "noting-cache")}
    environment.pop("BENCH_PYTHON", None)
    for options, kept, removed in (([], "faiss-cpu", None), (["--gpu"], "faiss-gpu", "faiss-cpu"),
                                   ([], "faiss-cpu", "faiss-gpu")):
        if os.path.exists(log):
            os.remove(log)
        done = subprocess.run([BENCH, "peers", "--install", *options], capture_output=True, text=True, env=environment,
                              cwd=place.folder, check=False)
        with open(log, encoding="utf-8") as file:
            asked = file.read().splitlines()
        check(done.returncode == 0 and len(asked) == (1 if removed is None else 2), (done.stderr, asked))
        check(removed is None or (" uninstall " in asked[0] and asked[0].split()[-1] == removed), asked)
        packages = [word.split("==")[0] for word in asked[-1].split() if "==" in word]
        check([name for name in packages if name.startswith("faiss")] == [kept], packages)
        check(("torch" in packages) == bool(options), packages)


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        started = place.bench("peers").stdout
        if "is called in Python" in place.run("--variants", "numpy,seq")[3]:
            print("skipped: needs the shared library of Python")
            sys.exit(77)
        check("copy" in started, started)
        interrupted_install_leaves_nothing(place)
        one_of_two_packages_with_a_module_is_installed(place)
        absent_is_skipped(place)
        where_python_cannot_be_asked_the_list_says_why(place)
        each_is_skipped_where_it_is_absent(place)
        not_asked_is_not_there(place)
        shutil.copy(os.path.join(HERE, "numpy.py"), place.packages)
        os.mkdir(os.path.join(place.packages, "numpy-9.9.9.dist-info"))
        with open(os.path.join(place.packages, "numpy-9.9.9.dist-info", "METADATA"), "w", encoding="utf-8") as file:
            file.write("Metadata-Version: 2.1\nName: numpy\nVersion: 9.9.9\n")
        subprocess.run(["python3", "-m", "venv", "--without-pip", os.path.join(folder, "none")], check=True)
        a_call_of_many_seconds_is_refused()
        for test in (a_study_has_them_by_default, a_peer_has_a_row_with_its_version,
                     named_ones_are_there_and_summed_up, faults_are_found, verified_like_others, listed_with_versions, compiled_ones_are_listed,
                     one_without_the_part_that_is_called_is_skipped):
            test(place)
    print("peers: right")


if __name__ == "__main__":
    main()
