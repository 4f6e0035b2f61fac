"""usage: test_artifact.py BENCH. `bench artifact` on runs whose commit is one of a throw-away repository."""
import json
import os
import shutil
import subprocess
import tarfile
import unittest

from fake_project import main, ProjectTest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUN = ["run", "--algo", "lbp", "--variants", "seq,simd", "--sizes", "64x64,128x128", "--reps", "3",
       "--no-plot", "--no-roof", "--quiet", "--launches", "1"]


class Artifact(ProjectTest):
    def setUp(self):
        super().setUp()
        self.commit = self.project.commit(0.001)
        self.measured = self.path("measured")

    def run_bench(self, *arguments, code=0, cwd=None):
        done = subprocess.run([self.program, *arguments], cwd=cwd or self.folder, text=True,
                              env=self.project.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=300, check=False)
        if code is not None:
            self.assertEqual(done.returncode, code, done)
        return done.stdout, done.stderr

    def measure(self, *more, facts=None):
        """A run; its program is said to be of the repository's commit."""
        self.run_bench(*RUN, "--out", self.measured, *more)
        path = os.path.join(self.measured, "results.json")
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        run["context"]["machine"].update({"commit": self.commit[:12], "dirty": "no", **(facts or {})})
        with open(path, "w", encoding="utf-8") as file:
            json.dump(run, file)

    def pack(self, *more, of=None, code=0):
        archive = self.path("packed.tar.gz")
        out = self.run_bench("artifact", of or self.measured, "--repo", self.project.folder, "--out", archive,
                             *more, code=code)
        self.project.check_clean()
        return archive, *out

    def unpack(self, archive):
        """The folder in the archive, whose checksums are right."""
        to = self.path("unpacked")
        shutil.rmtree(to, ignore_errors=True)
        with tarfile.open(archive) as tar:
            tar.extractall(to)
        folder, = os.listdir(to)
        folder = os.path.join(to, folder)
        subprocess.run(["sha256sum", "-c", "--quiet", "--strict", "SHA256SUMS"], cwd=folder, check=True)
        with open(os.path.join(folder, "SHA256SUMS"), encoding="utf-8") as file:
            summed = {line.split("  ", 1)[1].rstrip("\n") for line in file}
        there = {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}
        self.assertEqual(summed, there - {"SHA256SUMS"})
        return folder

    def read(self, folder, name):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read()

    def image(self, name, grey=0):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(b"P5 160 160 255\n" + bytes((x * y + grey) % 251 for y in range(160) for x in range(160)))
        return path

    def test_a_run(self):
        """What a reviewer does with it: the README's command, with this program as the built one."""
        picture = self.image("it's a wall.pgm")
        self.measure("--input", picture)
        archive, out, errors = self.pack("--author", "Ada Byron", "--author", "Bo <b>", "--paper", "A Study, 2026")
        self.assertEqual((out, errors), (archive + "\n", ""))
        folder = self.unpack(archive)
        self.assertEqual(os.path.basename(folder), "measured-artifact")
        with tarfile.open(os.path.join(folder, f"source-{self.commit[:8]}.tar.gz")) as tar:
            kind = tar.extractfile(f"source-{self.commit[:8]}/kind")
            self.assertEqual(kind.read(), b"0 \n")
        readme = self.read(folder, "README.md")
        self.assertIn("A Study, 2026", readme)
        self.assertNotIn("Containerfile", readme)  # the commit has none
        line = f"source-{self.commit[:8]}/bench.sh reproduce runs/measured --input "
        kick, = [text for text in readme.splitlines() if text.startswith(line) and "--kick-tires" in text]
        self.assertTrue(kick.endswith(" --kick-tires --budget 25min"), kick)
        command = kick.replace(f"source-{self.commit[:8]}/bench.sh", f"'{self.program}'").replace("25min", "2s")
        shutil.rmtree(self.measured)
        os.remove(picture)
        done = subprocess.run(command + " --out ../again", shell=True, cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertIn(done.returncode, (0, 1, 6), done)  # times decide
        for step in ("step 1 of 3: inputs", "step 1 of 3 took ", "step 2 of 3: measuring what ", "step 3 of 3 took "):
            self.assertIn(step, done.stderr)
        self.assertIn("over the best CPU", done.stdout)
        zenodo = json.loads(self.read(folder, ".zenodo.json"))
        self.assertEqual(zenodo["creators"], [{"name": "Ada Byron"}, {"name": "Bo <b>"}])
        self.assertEqual((zenodo["upload_type"], zenodo["title"]), ("software", "Artifact: measured"))
        self.check_crate(folder)
        self.assertIn("Artifact check-list", self.read(folder, "artifact.md"))

    def check_crate(self, folder):
        """RO-Crate 1.1: the descriptor, the root, and only entities and files that are there."""
        crate = json.loads(self.read(folder, "ro-crate-metadata.json"))
        self.assertEqual(crate["@context"], "https://w3id.org/ro/crate/1.1/context")
        entities = {entity["@id"]: entity for entity in crate["@graph"]}
        self.assertEqual(len(entities), len(crate["@graph"]))
        about = entities["ro-crate-metadata.json"]
        self.assertEqual(about["conformsTo"], {"@id": "https://w3id.org/ro/crate/1.1"})
        root = entities[about["about"]["@id"]]
        for key in ("name", "description", "datePublished", "license"):
            self.assertTrue(root[key], key)
        for entity in crate["@graph"]:
            for value in entity.values():
                for one in value if isinstance(value, list) else [value]:
                    if isinstance(one, dict) and not one["@id"].startswith("https://w3id.org/"):
                        self.assertIn(one["@id"], entities)
        for part in root["hasPart"]:
            self.assertTrue(os.path.exists(os.path.join(folder, part["@id"])), part)

    def test_every_file_of_a_run_is_packed(self):
        """Also those of lists; a word in place of a file is none."""
        points, weights = self.path("points.csv"), [self.path("one.csv"), self.path("two.csv")]
        with open(points, "w", encoding="utf-8") as file:
            file.write("x,y,size,angle\n30,30,8,0\n60,50,8,90\n")
        for bits, copy in zip((256, 512), weights):
            shutil.copy(os.path.join(ROOT, f"datasets/descriptors/bad-{bits}.csv"), copy)
        images = ["--algo", "bad", "--variants", "seq", "--sizes", "native", "--input", self.image("wall.pgm"),
                  "--keypoints-file", points]
        self.measure(*images, "--bits", "256,512", "--weights", ",".join(weights))
        folder = self.unpack(self.pack()[0])
        self.assertEqual(sorted(os.listdir(os.path.join(folder, "inputs"))),
                         ["one.csv", "points.csv", "two.csv", "wall.pgm"])
        self.measure("--force", *images, "--weights", "random")
        folder = self.unpack(self.pack("--force")[0])
        self.assertEqual(sorted(os.listdir(os.path.join(folder, "inputs"))), ["points.csv", "wall.pgm"])

    def test_the_same_content_has_the_same_bytes(self):
        self.measure()
        with open(self.pack()[0], "rb") as file:
            first = file.read()
        _, _, errors = self.pack(code=2)
        self.assertIn("packed.tar.gz is there already; --force replaces it", errors)
        with open(self.pack("--force")[0], "rb") as file:
            self.assertEqual(file.read(), first)

    def test_another_input_is_not_packed(self):
        picture = self.image("wall.pgm")
        self.measure("--input", picture)
        self.image("wall.pgm", grey=1)
        archive, _, errors = self.pack("--author", "a")
        self.assertIn("bench: note: the input wall.pgm is not in the archive: the input ", errors)
        self.assertIn("its hash at 64x64 is not the stored one", errors)
        folder = self.unpack(archive)
        self.assertFalse(os.path.exists(os.path.join(folder, "inputs")))
        readme = self.read(folder, "README.md")
        self.assertIn("wall.pgm is missing: ", readme)
        self.assertNotIn("--input", readme)

    def test_open_data_is_named(self):
        """Not packed: whoever unpacks it gets it where everybody does."""
        picture = self.image("meadow.jpg")
        self.measure("--input", picture)
        folder = self.unpack(self.pack()[0])
        self.assertFalse(os.path.exists(os.path.join(folder, "inputs")))
        self.assertIn(f"'source-{self.commit[:8]}/datasets/fetch meadow.jpg' gets it (1485159 bytes, SHA-256 ",
                      self.read(folder, "README.md"))

    def test_the_commit_has_to_be_there(self):
        self.measure(facts={"commit": "0123456789abcdef"})
        _, _, errors = self.pack(code=2)
        self.assertIn("measured was measured by commit 0123456789abcdef, which", errors)
        self.assertIn("--repo DIR names a clone that has it", errors)
        self.measure("--force", facts={"commit": ""})
        _, _, errors = self.pack(code=2)
        self.assertIn("does not say of which commit its program was", errors)
        self.assertFalse(os.path.exists(self.path("packed.tar.gz")))

    def test_a_program_without_a_trial(self):
        """Commands are of the program that is packed; many stored runs are older than --kick-tires."""
        os.makedirs(os.path.join(self.project.folder, "bench/cli"))
        self.project.write("bench/cli/reproduce.c", '{"launches", "N"}\n')
        self.commit = self.project.commit(0.001)
        self.measure()
        readme = self.read(self.unpack(self.pack()[0]), "README.md")
        self.assertNotIn("--kick-tires", readme)
        self.assertIn(f"\nsource-{self.commit[:8]}/bench.sh reproduce runs/measured\n", readme)
        self.assertIn("has no shorter trial. Each command ends with exit code 0 if", readme)
        self.project.write("bench/cli/reproduce.c", '{"kick-tires", NULL}\n')
        self.commit = self.project.commit(0.001)
        self.measure("--force")
        self.assertIn("--kick-tires", self.read(self.unpack(self.pack("--force")[0]), "README.md"))

    def test_without_git(self):
        """The commit is there: what is missing is git."""
        self.measure()
        self.project.environment = {**self.project.environment, "PATH": self.path("nothing")}
        _, errors = self.run_bench("artifact", self.measured, "--repo", self.project.folder, "--out",
                                   self.path("packed.tar.gz"), code=4)
        self.assertEqual(errors, "bench: git cannot be started: No such file or directory\n")

    def test_a_full_disk_is_said(self):
        """With what tar said first: at last it says no more than that it ends."""
        self.measure()
        programs = self.path("programs")
        os.mkdir(programs)
        with open(os.path.join(programs, "tar"), "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\necho >&2\necho "gzip: stdout: No space left on device" >&2\necho "exiting now" >&2\n'
                       "exit 2\n")
        os.chmod(os.path.join(programs, "tar"), 0o755)
        self.project.environment = {**self.project.environment,
                                    "PATH": programs + ":" + self.project.environment["PATH"]}
        _, _, errors = self.pack(code=5)
        self.assertEqual(errors, "bench: the archive cannot be written: gzip: stdout: No space left on device\n")
        self.assertFalse(os.path.exists(self.path("packed.tar.gz")))

    def test_what_is_missing_is_said(self):
        self.measure(facts={"dirty": "yes"})
        _, _, errors = self.pack()
        self.assertIn("measured was measured with changes that its commit does not have", errors)
        self.assertIn("no author is named, which Zenodo asks for; --author NAME adds one", errors)

    def test_a_container_s_recipe_and_the_licence_are_the_commit_s(self):
        os.mkdir(os.path.join(self.project.folder, ".ci"))
        self.project.write(".ci/Containerfile", "FROM scratch\n")
        self.project.write("LICENSE", "Do what you want\n")
        self.commit = self.project.commit(0.001)
        self.measure()
        folder = self.unpack(self.pack()[0])
        self.assertEqual(self.read(folder, "Containerfile"), "FROM scratch\n")
        self.assertEqual(self.read(folder, "LICENSE"), "Do what you want\n")
        self.assertIn("is the file LICENSE here and in its source", self.read(folder, "README.md"))
        self.assertIn(f"podman build -f Containerfile -t bench --build-arg BENCH_COMMIT={self.commit} ",
                      self.read(folder, "README.md"))

    def test_a_study(self):
        study = self.path("study")
        self.measure()
        os.makedirs(os.path.join(study, "runs"))
        with open(os.path.join(study, "study.json"), "w", encoding="utf-8") as file:
            json.dump({"study": "lbp-2020", "quick": True, "launches": 1, "device": "all", "data": "d"}, file)
        _, _, errors = self.pack(of=study, code=5)
        self.assertIn("no step of this study has left a run", errors)
        shutil.move(self.measured, os.path.join(study, "runs", "all"))
        os.makedirs(os.path.join(study, "runs", "peers"))  # a step that left a table and no run
        with open(os.path.join(study, "runs", "peers", "results.csv"), "w", encoding="utf-8") as file:
            file.write("library,ms\n")
        folder = self.unpack(self.pack(of=study)[0])
        self.assertEqual(os.path.basename(folder), "lbp-2020-artifact")
        self.assertTrue(os.path.exists(os.path.join(folder, "study/runs/all/results.json")))
        readme = self.read(folder, "README.md")
        self.assertIn("- artifact.md, artifact.tex: ", readme)  # the study's folder has none
        self.assertIn("Artifact check-list", self.read(folder, "artifact.md"))
        self.assertIn("The paper: ", readme)
        self.assertIn("/bench.sh reproduce study/runs/all --kick-tires --budget 25min", readme)
        _, _, errors = self.pack(study, of=study, code=2)
        self.assertIn("an artifact is of one study, or of runs", errors)

    def test_several_runs(self):
        """Each is tried for its share of the time."""
        self.measure()
        other = self.path("other/measured")
        shutil.copytree(self.measured, other)
        folder = self.unpack(self.pack(other)[0])
        self.assertEqual(sorted(os.listdir(os.path.join(folder, "runs"))), ["1-measured", "2-measured"])
        self.assertEqual(self.read(folder, "README.md").count("--budget 12min"), 2)


if __name__ == "__main__":
    if any(shutil.which(tool) is None for tool in ("git", "tar", "sha256sum")):
        print("skipped: needs git, tar and sha256sum")
        raise SystemExit(77)
    main()
