"""usage: test_settings.py BENCH. What git says is read the same whatever a person has set for himself, and whichever
repository git's variables name."""
import json
import os
import subprocess

from fake_project import CELL, CELLS, main, ProjectTest, stored_run

CONFIG = """[log]
    showSignature = true
    decorate = full
    date = raw
[color]
    ui = always
[core]
    pager = sed s/./x/g
    quotePath = true
    commentChar = B
    autocrlf = true
    attributesFile = {folder}/attributes
    fsmonitor = {folder}/program
    hooksPath = {folder}
[format]
    pretty = raw
[i18n]
    logOutputEncoding = ISO-8859-1
[trailer]
    separators = "="
[diff]
    noprefix = true
[tar]
    umask = 0777
[gpg]
    program = {folder}/program
[alias]
    log = status
"""


class Settings(ProjectTest):
    def setUp(self):
        super().setUp()
        self.write("program", "#!/bin/sh\necho 'gpg: Good signature from \"a\"' >&2\n")
        os.chmod(self.path("program"), 0o755)
        self.write("attributes", "* export-ignore\n")
        self.write("config", CONFIG.format(folder=self.folder))
        self.project.write(".gitattributes", "* text=auto\n")
        self.other = self.path("other")
        subprocess.run(["git", "init", "-q", self.other], check=True, env=self.project.environment)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def set_by_a_person(self):
        return {"GIT_CONFIG_GLOBAL": self.path("config"), "GIT_DIR": self.other + "/.git",
                "GIT_WORK_TREE": self.other, "GIT_INDEX_FILE": self.path("index"),
                "GIT_OBJECT_DIRECTORY": self.other + "/.git/objects", "GIT_TRACE": "1",
                "GIT_PAGER": "sed s/./x/g", "GIT_EXTERNAL_DIFF": self.path("program"),
                "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "log.showSignature",
                "GIT_CONFIG_VALUE_0": "true", "TAR_OPTIONS": "--exclude=launch.sh"}

    def commit(self, *arguments, **more):
        """A signed commit: git shows what the signature's program says."""
        self.project.commit(*arguments, **more)
        head, message = self.project.git("cat-file", "commit", "HEAD").split("\n\n", 1)
        signed = f"{head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n{message}\n"
        done = subprocess.run(["git", "-C", self.project.folder, "hash-object", "-t", "commit", "-w", "--stdin"],
                              env=self.project.environment, input=signed, text=True, check=True,
                              stdout=subprocess.PIPE)
        self.project.git("reset", "-q", "--soft", done.stdout.strip())
        self.project.commits[-1] = done.stdout.strip()
        return self.project.commits[-1]

    def write_run(self, commit, **machine):
        facts = {"commit": commit, "dirty": "no", "cpu_model": "Fake", **machine}
        os.makedirs(self.path("run"), exist_ok=True)
        self.write("run/results.json", stored_run(
            {"date": "2026-03-01T00:00:00Z", "machine": facts, "machine_identity": list(facts)},
            {CELL: 0.01}))
        return self.path("run")

    def read_history(self, folder):
        files = [name for name in os.listdir(folder) if name != ".lock"]
        self.assertEqual(len(files), 1, files)
        with open(os.path.join(folder, files[0]), encoding="utf-8") as file:
            return files[0], file.read()

    def test_the_history_has_the_time_of_the_commit(self):
        run = self.write_run(self.commit(0.010)[:12])
        texts = []
        for name, environment in (("plain", {}), ("set", self.set_by_a_person())):
            done = self.project.bench("history", "add", run, "--folder", self.path(name), **environment)
            self.assertEqual(done[0], 0, done)
            texts.append(self.read_history(self.path(name)))
        self.assertEqual(*texts)
        self.assertEqual(json.loads(texts[0][1])["commit"], self.project.commits[0])
        self.assertEqual(json.loads(texts[0][1])["commit_time"], 1767225600)

    def test_a_job_is_the_same(self):
        self.commit(0.010, "prüfe, schnell")
        self.commit(0.012, "prüfe, langsam\n\nBench-Accept: * größere Antwort")
        texts = []
        ends = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.eol", "GIT_CONFIG_VALUE_0": "crlf"}
        for name, environment in (("plain", {}), ("set", self.set_by_a_person()), ("ends", ends)):
            done = self.project.bench("ci", "--base", self.project.commits[0], "--quiet", "--launches", "6",
                                      "--out", self.path(name), *CELLS, **environment)
            self.assertEqual(done[0], 0, done)
            with open(self.path(name + "/comparison.md"), encoding="utf-8") as file:
                texts.append(file.read())
        self.assertEqual(texts, 3 * texts[:1])
        self.assertIn("prüfe, langsam\n", texts[0])
        self.assertIn("accepted: größere Antwort", texts[0])
        self.project.check_clean()

    def test_a_search_is_the_same(self):
        for i in range(4):
            self.commit(0.010 if i < 2 else 0.012)
        done = self.project.bench("bisect", self.project.commits[0], self.project.commits[-1], "--quiet",
                                  "--launches", "6", *CELLS, **self.set_by_a_person())
        self.assertEqual(done[0], 0, done)
        self.assertIn(self.project.commits[2][:8] + "  is the commit that changed it:  commit 2\n", done[1])
        self.project.check_clean()

    def test_no_history_is_hidden(self):
        for model in (".Fake", "..", "/../Fake", "-Fake", ""):
            with self.subTest(model=model):
                folder = self.path(f"h{len(os.listdir(self.folder))}")
                run = self.write_run(self.project.commit(0.010), cpu_model=model)
                self.assertEqual(self.project.bench("history", "add", run, "--folder", folder)[0], 0)
                self.assertNotIn(self.read_history(folder)[0][0], ".-")
                done = self.project.bench("history", "--folder", folder)
                self.assertEqual(done[0], 0, done)
                self.assertIn(CELL, done[1])


if __name__ == "__main__":
    main()
