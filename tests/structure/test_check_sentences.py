#!/usr/bin/env python3
"""Proves that check_sentences.py finds long sentences, and takes nothing else for one."""
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("check_sentences.py")
LONG = "word " * 30 + "word"
SHORT = "word " * 29 + "word"

# A page, and the lines of the sentences in it that are too long.
PAGES = {
    "README.md": (f"# {SHORT}\n\n{LONG}.\n\n{SHORT}. {SHORT}!\n{SHORT}? {LONG}.\n", [3, 5]),
    "items/README.md": (f"{SHORT}:\n- {SHORT};\n  1. {SHORT}\n\n- a {SHORT}\n", [5]),
    "hidden/README.md": (f"<!-- {LONG}\n{LONG} -->\n\n```sh\n{LONG}\n\n```\n   ```\n{LONG}\n   ```\n", []),
    "tables/README.md": (f"| {SHORT} | {SHORT} |\n|---|---|\n| {SHORT}. {SHORT} | {LONG} |\n| `{SHORT}` |\n| `{LONG}` |\n",
                         [3, 5]),
    "words/README.md": (f"Of [these]({LONG.replace(' ', '_')}) {SHORT[:-10]} × — +\n\n`word. | word` {SHORT[:-15]}\n\n"
                        f"`word --option` {SHORT[:-5]}\n", [5]),
    "stops/README.md": (f"{SHORT} et al. word\n\n{SHORT} J. Word\n\n{SHORT} 1.5 (`.c`). {SHORT}\n", [1, 3, 5]),
    "marks/README.md": (f"{SHORT}.) {SHORT}. **{SHORT}.** {SHORT}\n", []),
    "lines/README.md": ("\n".join(LONG.split()) + "\n", [1]),
    ".github/CONTRIBUTING.md": (LONG, [1]),
    "CHANGELOG.md": (f"# Changes\n\n{SHORT}\n\n## New\n\n- {LONG}\n\n## Old\n\n- {LONG}\n", [7]),
    "build-other/README.md": (LONG, []),
    "reports/results/lbp/report.md": (LONG, []),
    "lbp/study.json": ("", []),
    "lbp/tables/report.md": (LONG, []),
    ".hidden/README.md": (LONG, []),
}


def main():
    with tempfile.TemporaryDirectory() as root:
        for name, (text, _) in PAGES.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, CHECK, root], stdout=subprocess.PIPE, text=True, check=False)
    found = sorted(":".join(line.split(":")[:2]) for line in run.stdout.splitlines())
    wanted = sorted(f"{name}:{line}" for name, (_, lines) in PAGES.items() for line in lines)
    for place in sorted(set(found) ^ set(wanted)):
        print(f"{place}: {'no sentence is' if place in found else 'a sentence is'} too long there")
    return found != wanted or run.returncode != 1


if __name__ == "__main__":
    sys.exit(main())
