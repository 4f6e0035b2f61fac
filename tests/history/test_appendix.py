"""usage: test_appendix.py BENCH. The appendix of `bench artifact` for the longest stored studies has two pages, in the
columns of a conference's paper."""
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STUDIES = ["h100/studies/hashsift-2024", "h100/studies/haar-2015", "h200x2/studies/whole-cpu"]
PAPER = r"""\documentclass[10pt,twocolumn,letterpaper]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=0.75in,columnsep=0.25in]{geometry}
\usepackage{booktabs,graphicx}
\begin{document}\appendix\input{artifact.tex}\end{document}
"""
PAGES = 2


def appendix_of(bench, study, folder):
    """False where the repository does not have the commit that measured."""
    archive = os.path.join(folder, "packed.tar.gz")
    done = subprocess.run([bench, "artifact", os.path.join(ROOT, "reports/results", study), "--repo", ROOT, "--out",
                           archive], capture_output=True, text=True, check=False)
    if done.returncode == 2 and "does not have" in done.stderr:
        return False
    assert done.returncode == 0, done
    with tarfile.open(archive) as tar:
        name, = [name for name in tar.getnames() if name.count("/") == 1 and name.endswith("/artifact.tex")]
        with open(os.path.join(folder, "artifact.tex"), "wb") as file:
            file.write(tar.extractfile(name).read())
    return True


def pages_of(folder):
    with open(os.path.join(folder, "paper.tex"), "w", encoding="utf-8") as file:
        file.write(PAPER)
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"], cwd=folder,
                          env={**os.environ, "TEXMFVAR": os.path.join(folder, "texmf")}, capture_output=True,
                          check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    return int(re.search(rb"Output written on paper\.pdf \((\d+) page", done.stdout)[1])


def main(bench):
    for study in STUDIES:
        with tempfile.TemporaryDirectory() as folder:
            if not appendix_of(bench, study, folder):
                print("skipped: needs the whole history of the repository")
                return 77
            pages = pages_of(folder)
            print(f"{study}: {pages} pages")
            assert pages <= PAGES, study
    return 0


if __name__ == "__main__":
    if any(shutil.which(tool) is None for tool in ("git", "tar", "pdflatex")):
        print("skipped: needs git, tar and pdflatex")
        sys.exit(77)
    sys.exit(main(sys.argv[1]))
