#!/usr/bin/env python3
"""usage: test_check_pictures.py: check_pictures.py finds what is wrong, and nothing else"""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MARK = '<defs><circle id="mark" r="3"/></defs>'
PICTURES = {  # what is in the picture, and the failure; none: there is none
    "good": ('<text x="20" y="20">one</text><text x="20" y="60">two</text>'
             '<use href="#mark" transform="translate(100,100)"/>', None),
    "overlap": ('<text x="20" y="20">one</text><text x="24" y="22">two</text>', "overlap"),
    "beside": ('<text x="20" y="80" transform="rotate(-30 20 80)">along the line</text>'
               '<text x="70" y="85">below it</text>', None),
    "cut": ('<text x="180" y="20">leaves</text>', "cut"),
    "small": ('<text x="20" y="20" font-size="5">small</text>', "small"),
    "point": ('<text x="20" y="20">point</text><use href="#mark" transform="translate(30,16)"/>', "point"),
    "empty": ('<path d="M0 0L9 9"/>', "empty"),
}


def main():
    failed = False
    for name, (inside, kind) in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name + ".svg")
            with open(path, "w", encoding="utf-8") as file:
                file.write('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="120" '
                           'viewBox="0 0 200 120" font-size="12">%s%s</svg>' % (MARK, inside))
            done = subprocess.run([sys.executable, os.path.join(HERE, "check_pictures.py"), path],
                                  capture_output=True, text=True, check=False)
        if done.returncode == 77:
            print(done.stdout)
            return 77
        wanted = kind is None and done.returncode == 0 or \
            kind is not None and done.returncode == 1 and ": %s: " % kind in done.stdout
        if not wanted:
            print("%s: exit code %d: %s" % (name, done.returncode, done.stdout))
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
