#!/usr/bin/env python3
"""usage: test_schema.py BENCH MODULE REPORTS

The schema of `bench help schema` is valid; every stored run in REPORTS and new runs of every kind
satisfy it; files that were changed do not.
"""
import copy
import gzip
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: needs python3-jsonschema")
    sys.exit(77)

bench, module, reports = (os.path.abspath(path) for path in sys.argv[1:])
schema = json.loads(subprocess.run([bench, "help", "schema"], check=True, capture_output=True).stdout)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failed = False


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as stream:
        return json.load(stream)


def check(name, document):
    global failed
    for error in list(validator.iter_errors(document))[:5]:
        failed = True
        print(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")


def stored_runs():
    count = 0
    for folder, _, files in sorted(os.walk(reports)):
        for file in files:
            if file in ("results.json", "results.json.gz"):
                check(os.path.join(folder, file), read(os.path.join(folder, file)))
                count += 1
    return count


def run(name, *arguments, codes=(0,)):
    """The results of a new run, which satisfy the schema."""
    command = [bench, *arguments, "--no-plot", "--quiet", "--out", name]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    document = read(os.path.join(name, "results.json"))
    check(name, document)
    return document


def set_in(entry, key, value):
    entry[key] = value


# What is wrong with each: a name, and a function that makes it so.
changes = [
    ("a time as a text", lambda d: set_in(d["benchmarks"][0], "kernel_median_s", "1")),
    ("an unknown key of a cell", lambda d: set_in(d["benchmarks"][0], "kernel_median", 1)),
    ("no verdict", lambda d: d["benchmarks"][0].pop("verified")),
    ("no samples", lambda d: d["benchmarks"][0].pop("kernel_samples_s")),
    ("no input hash", lambda d: d["benchmarks"][0].pop("input_hash")),
    ("a negative number of samples", lambda d: set_in(d["benchmarks"][0], "kernel_samples", -1)),
    ("a turn of two numbers", lambda d: set_in(d["benchmarks"][0], "kernel_turns", [[0, 1]])),
    ("a launch with times", lambda d: set_in(d["benchmarks"][0], "launch", 1)),
    ("an axis that is a list", lambda d: set_in(d["benchmarks"][0], "answer", {"box": [1]})),
    ("no name", lambda d: d["benchmarks"][0].pop("name")),
    ("a reason that is a number", lambda d: set_in(d["skipped"][0], "skip_message", 1)),
    ("no context", lambda d: d.pop("context")),
    ("an unknown key of the context", lambda d: set_in(d["context"], "dates", "")),
    ("no date", lambda d: d["context"].pop("date")),
    ("a warning that is no text", lambda d: set_in(d["context"], "warnings", [1])),
    ("a fact that is a list", lambda d: set_in(d["context"]["machine"], "cpu_model", [])),
    ("an unknown list", lambda d: set_in(d, "benchmark", [])),
    ("no list of failures", lambda d: d.pop("failures")),
    ("a ceiling without a unit", lambda d: set_in(d["context"], "ceilings", [{"key": "a", "kind": "time", "value": 1}])),
    ("a ceiling of half a device", lambda d: several_devices(d, 1.5)),
]


# As a machine with several GPUs has them.
def several_devices(document, devices):
    document["context"]["ceilings"] = [{"key": "copy_dram", "kind": "bandwidth", "threads": 0, "devices": devices,
                                        "value": 7e12, "unit": "bytes/s", "working_set_bytes": 4e9}]
    return document


if stored_runs() == 0:
    sys.exit(f"there is no run in {reports}")
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    plain = run("plain", "--algo", "lbp", "--sizes", "64x64,128x64,256x64", "--reps", "5")
    run("launches", "--algo", "lbp", "--sizes", "64x64", "--launches", "2", "--reps", "10", "--no-roof")
    run("set", "--algo", "haar", "--images", "20", "--reps", "3", "--no-roof")
    run("points", "--algo", "hashsift,matching", "--sizes", "160x120", "--keypoints", "20", "--reps", "3", "--no-roof")
    run("box", "--algo", "lacunarity", "--sizes", "64x64", "--box", "3+5", "--synthetic", "even", "--density", "20%",
        "--reps", "3", "--no-roof", "--cold")
    run("share", "--algo", "lbp", "--sizes", "64x64,65x65", "--reps", "3", "--shard", "1/2", "--no-roof")
    wrong = run("wrong", "--plugin", module, "--algo", "faulty", "--sizes", "33x17", "--variants", "seq,last", "--reps",
                "3", "--no-roof", codes=(4,))
    if not wrong["failures"] or not plain["skipped"]:
        sys.exit("the runs have no failure or no skipped cell: nothing was tested")
    check("ceilings of two devices", several_devices(copy.deepcopy(plain), 2))
    for name, change in changes:
        document = copy.deepcopy(plain)
        change(document)
        if validator.is_valid(document):
            failed = True
            print(f"{name} satisfies the schema")
    described = schema["$defs"]["measurement"]["properties"]["kernel_median_s"].get("description")
    if described != "kernel time, median":
        failed = True
        print(f"kernel_median_s is described as {described!r}")
for kind, definition in schema["$defs"].items():
    for key, value in definition.get("properties", {}).items():
        if not value.get("description"):
            failed = True
            print(f"{kind} has no meaning of {key}")
sys.exit(1 if failed else 0)
