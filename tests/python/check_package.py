"""usage: check_package.py BENCH SOURCE: the installed package, with real pandas."""
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest

import pandas as pd

import bench
from bench import _read, _variants

PROGRAM, SOURCE = sys.argv[1], sys.argv[2]
STORED = os.path.join(SOURCE, "reports", "results")
README_RUN = os.path.join(SOURCE, "tests", "data", "h200", "lbp")


def stored_runs():
    found = glob.glob(os.path.join(STORED, "**", "results.json.gz"), recursive=True)
    return sorted(os.path.dirname(path) for path in found)


def unpacked(name):
    with gzip.open(os.path.join(README_RUN, name + ".gz"), "rt", encoding="utf-8", newline="") as file:
        return file.read()


class Tables(unittest.TestCase):
    def test_every_stored_run_is_read(self):
        runs = stored_runs()
        self.assertGreater(len(runs), 20)
        for folder in runs:
            run = bench.read(folder)
            measured = run.rows.index[run.rows["status"] == "ok"]
            self.assertEqual(set(run.launches["row"]), set(measured), folder)
            self.assertEqual(set(run.samples["row"]), set(measured), folder)
            launches = run.rows["launches"].loc[measured].fillna(1)
            self.assertTrue((run.launches.groupby("row").size() >= launches).all(), folder)

    def test_launches_are_those_of_the_file(self):
        run = bench.read(README_RUN)
        entries = json.loads(unpacked("results.json"))["benchmarks"]
        self.assertEqual(len(entries), len(run.launches))
        for entry, (_, launch) in zip(entries, run.launches.iterrows()):
            self.assertAlmostEqual(entry["real_time"] * 1e-6, launch["kernel_ms"], delta=1e-9 * launch["kernel_ms"])
        seq = run.launches[run.launches["row"] == 0]
        self.assertEqual(list(seq["launch"]), [0, 1, 2, 3, 4, 5])
        self.assertEqual(list(seq["samples"]), [8] * 6)

    def test_samples_are_those_of_the_rows(self):
        run = bench.read(README_RUN)
        kernel = run.samples[run.samples["kind"] == "kernel"]
        counted = kernel.groupby("row").size()
        self.assertTrue((counted == run.rows["samples"].loc[counted.index]).all())
        shortest = kernel.groupby("row")["ms"].min()
        self.assertTrue(((shortest / run.rows["kernel_ms_min"] - 1).abs() < 1e-6).all())
        self.assertEqual(list(kernel["variant"].head(1)), ["seq"])

    def test_types_and_facts(self):
        run = bench.read(os.path.join(README_RUN, "results.json.gz"))
        self.assertEqual(run.facts["gpu_model"], "NVIDIA H200")
        self.assertEqual(run.context["machine"]["gpu_model"], "NVIDIA H200")
        self.assertEqual(str(run.rows["width"].dtype), "Int64")
        self.assertEqual(str(run.rows["kernel_ms_median"].dtype), "float64")
        self.assertTrue(run.rows["answer"].eq("").all())
        self.assertTrue(pd.isna(run.rows["upload_ms"].iloc[0]))
        fastest = run.rows[run.rows["best_tuning"] & (run.rows["size"] == "16K") & (run.rows["variant"] == "cuda_fast")]
        self.assertGreater(fastest["speedup_vs_best_cpu"].iloc[0], 30)

    def test_every_column_has_a_type(self):
        listed = subprocess.run([PROGRAM, "help", "columns"], capture_output=True, text=True, check=True).stdout
        columns = [line.split()[0] for line in listed.splitlines()[1:] if line and not line.startswith(" ")]
        text = ("algorithm variant backend input size answer tuning status why roof base best_cpu mode device "
                "verified_by improves_on item input_hash throttle bound stages_ms mapped exchange path disturbed_by "
                "library another_definition best_peer").split()
        self.assertGreater(len(columns), 100)
        self.assertEqual(set(columns), set(text) | _read._FLAGS | _read._COUNTS | _read._NUMBERS)

    def test_a_run_that_was_just_made(self):
        with tempfile.TemporaryDirectory() as folder:
            image = os.path.join(folder, "a#1, 'b'.pgm")
            with open(image, "wb") as file:
                file.write(b"P5 16 16 255\n" + bytes(256))
            made = subprocess.run([PROGRAM, "run", "--algo", "lbp", "--variants", "seq,simd,cuda_fast", "--input",
                                   image, "--sizes", "native", "--reps", "4", "--launches", "1", "--no-roof",
                                   "--no-plot", "--quiet", "--out", os.path.join(folder, "run")],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(made.returncode, 0, made.stderr)
            run = bench.read(os.path.join(folder, "run"))
            self.assertEqual(list(run.rows["input"])[:1], ["a#1, 'b'.pgm"])
            self.assertEqual(list(run.rows["variant"])[:2], ["seq", "simd"])
            self.assertGreaterEqual(len(run.samples), 8)
            self.assertEqual(len(run.launches), int((run.rows["status"] == "ok").sum()))


class Notebook(unittest.TestCase):
    def test_its_cells_run(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("needs matplotlib")
        matplotlib.use("Agg")
        folder = os.path.join(SOURCE, "bench", "python")
        with open(os.path.join(folder, "speedup.ipynb"), encoding="utf-8") as file:
            cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder)
        names = {}
        for cell in cells:
            self.assertTrue(cell["outputs"], "a cell has not been run: jupyter nbconvert --execute --inplace")
            exec("".join(cell["source"]), names)
        self.assertEqual(len(names["axes"]), 2)
        self.assertEqual([text.get_text() for text in names["axes"][0].get_legend().get_texts()],
                         ["omp", "cuda_naive", "cuda_tiled", "cuda_texture", "cuda_fast", "cuda_streamed"])


class Damaged(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.texts = {name: unpacked(name) for name in ("results.csv", "results.json")}

    def refused(self, expected):
        for name, text in self.texts.items():
            data = text if isinstance(text, bytes) else text.encode()
            with open(os.path.join(self.folder, name), "wb") as file:
                file.write(data)
        with self.assertRaises(bench.RunError) as caught:
            bench.read(self.folder)
        self.assertIn(expected, str(caught.exception))
        self.assertIn(self.folder, str(caught.exception))

    def cell(self, place, **changes):
        whole = json.loads(self.texts["results.json"])
        whole["benchmarks"][place].update(changes)
        self.texts["results.json"] = json.dumps(whole)

    def test_nothing_there(self):
        with self.assertRaisesRegex(bench.RunError, "no such folder"):
            bench.read(os.path.join(self.folder, "none"))
        with self.assertRaisesRegex(bench.RunError, "there is no results.csv and no results.csv.gz"):
            bench.read(self.folder)

    def test_csv(self):
        whole = self.texts["results.csv"]
        for change, expected in (
                (whole[:-200], "the file is cut off"),
                (whole[:-200] + "\n", "fields, the heading has"),
                (whole[:-1], "the file is cut off"),
                (whole.replace("algorithm,variant", "a,b"), "no column 'algorithm'"),
                ("", "no column 'algorithm'"),
                (whole.replace(",480,360,", ",480,x,", 1), "height is 'x', which is no count"),
                (whole.replace(",480,360,", ",480,1.5,", 1), "height is '1.5', which is no count"),
                (whole.replace(",1.122671,", ",fast,", 1), "kernel_ms_min is 'fast', which is no number"),
                (whole.replace(",ok,,yes,", ",ok,,maybe,", 1), "verified is 'maybe'"),
                (whole.replace("\nlbp,seq", '\n"lbp,seq', 1), "line "),
                (whole.encode()[:5000] + b"\xff" + whole.encode()[5000:], "byte 5000 is no UTF-8")):
            self.texts["results.csv"] = change
            self.refused(expected)

    def test_json(self):
        whole = self.texts["results.json"]
        for change, expected in ((whole[:5000], "cut off or damaged"), ("[]", "no list 'benchmarks'"),
                                 ('{"benchmarks": [1]}', "benchmarks[0] is no object")):
            self.texts["results.json"] = change
            self.refused(expected)

    def test_cells(self):
        whole = self.texts["results.json"]
        for changes, expected in (({"cell": 4000}, "cell 4000 is no row"), ({"cell": True}, "cell True is no row"),
                                  ({"variant": "simd"}, "the files are of different runs"),
                                  ({"kernel_samples_s": [1, "2"]}, "kernel_samples_s is no list of times"),
                                  ({"kernel_turns": [[0, 0, 1]]}, "kernel_turns do not add up to the 48 samples"),
                                  ({"kernel_turns": [[0, 0]]}, "kernel_turns do not add up"),
                                  ({"kernel_turns": [[0, 0, 1 << 60]]}, "kernel_turns do not add up")):
            self.texts["results.json"] = whole
            self.cell(0, **changes)
            self.refused(expected)

    def test_gzip(self):
        with open(os.path.join(README_RUN, "results.csv.gz"), "rb") as file:
            data = file.read()
        for damaged in (data[:-100], data[:200] + b"\0" * 100 + data[300:], b"none"):
            with open(os.path.join(self.folder, "results.csv.gz"), "wb") as file:
                file.write(damaged)
            with open(os.path.join(self.folder, "results.json"), "w", encoding="utf-8") as file:
                file.write(self.texts["results.json"])
            with self.assertRaisesRegex(bench.RunError, "results.csv.gz: the file is cut off or damaged"):
                bench.read(self.folder)


class Marks(unittest.TestCase):
    def setUp(self):
        self.marks = _variants.begin()

    def test_a_marked_function_is_as_before(self):
        def blur(image, out):
            """Three pixels by three.

            More."""
            return image, out

        self.assertIs(bench.variant(blur), blur)
        self.assertIs(bench.variant("torch", name="fast", tuning={"block": (1, 2)}, threads=True)(blur), blur)
        plain, fast = self.marks.variants
        self.assertEqual((plain.name, plain.arrays, plain.device, plain.oracle), ("blur", "numpy", "cpu", False))
        self.assertEqual((fast.name, fast.device, dict(fast.tuning)), ("fast", "cuda", {"block": [1, 2]}))
        self.assertEqual(plain.summary, "Three pixels by three")

    def test_what_would_be_right(self):
        for wrong, expected in ((lambda: bench.variant("jax"), "one of numpy, cupy, torch"),
                                (lambda: bench.variant("numpy", device="cuda"), "not on the device 'cuda'"),
                                (lambda: bench.variant("cupy", device="cpu"), "not on the device 'cpu'"),
                                (lambda: bench.algorithm(dtype="int7"), "one of uint8, uint16"),
                                (lambda: bench.algorithm(ulp=-1), "0 or more would be right"),
                                (lambda: bench.variant(tuning={"block": [1.5]}), "whole numbers from 0 on")):
            with self.assertRaisesRegex(ValueError, expected):
                wrong()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
