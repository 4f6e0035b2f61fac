#!/usr/bin/env python3
"""usage: test_check_pictures.py: check_pictures.py finds what is wrong, and nothing else"""

import os
import re
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


def check(folder, names):
    """Exit code of the check of these pictures, what it printed, and the failures that it told of each."""
    paths = [os.path.join(folder, name + ".svg") for name in names]
    done = subprocess.run([sys.executable, os.path.join(HERE, "check_pictures.py"), *paths],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, {
        name: set(re.findall(r"^FAIL \d+-%s\.svg: (\w+):" % name, done.stdout, re.M)) for name in names}


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, (inside, _) in PICTURES.items():
            with open(os.path.join(folder, name + ".svg"), "w", encoding="utf-8") as file:
                file.write('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="120" '
                           'viewBox="0 0 200 120" font-size="12">%s%s</svg>' % (MARK, inside))
        code, said, told = check(folder, PICTURES)
        if code == 77:
            print(said)
            return 77
        good = [name for name, (_, kind) in PICTURES.items() if kind is None]
        failed = code != 1 or check(folder, good)[0] != 0
        for name, (_, kind) in PICTURES.items():
            if kind not in told[name] if kind else told[name]:
                print("%s: %s, not %s" % (name, told[name], kind))
                failed = True
    if failed:
        print("exit code %d: %s" % (code, said))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
