#!/usr/bin/env python3
"""usage: test_check_layout.py PAGE.html

check_layout.py finds what is wrong: PAGE, which is right, is broken in one way after the other, and
each failure is told of the page that has it, and of no other.
"""

import os
import re
import subprocess
import sys
import tempfile

# Name of the broken page; what is replaced, once; by what; the failure, and the frames that have it.
H1 = "<h1>"
BOTH, PHONE = ("1300", "390"), ("390",)
SCHEMES = ("light", "dark")
BREAKS = (
    ("cut", H1, '<h1 style="height: 10px; overflow: hidden">', "cut", BOTH),
    ("ellipsis", H1, '<h1 style="width: 3em; white-space: nowrap; overflow: hidden; '
                     'text-overflow: ellipsis">', "cut", BOTH),
    ("wide", H1, '<h1 style="width: 900px">', "wide", PHONE),
    ("unscrolled", r"\.scroll *\{", ".scroll { overflow: hidden !important;", "cut", PHONE),
    ("covered", H1, '<h1 style="position: relative; top: 6em">', "overlap", BOTH),
    ("ticks", '<text x="185.5" y="336"', '<text x="97" y="336"', "overlap", BOTH),
    ("tick-outside", '<text x="92.4" y="336"', '<text x="-60" y="336"', "cut", PHONE),
    ("grey", H1, '<h1 style="color: #767676; background: #eee">', "contrast", BOTH),
    ("faint", H1, '<h1 style="opacity: 0.45">', "contrast", BOTH),
    ("label", '<text x="185.5" y="336"', '<text style="fill: #808080" x="185.5" y="336"',
     "contrast", BOTH),
    ("label-on-box", '<text x="185.5" y="336"',
     '<rect x="160" y="330" width="60" height="40" fill="#777"></rect><text x="185.5" y="336"',
     "contrast", BOTH),
    *((scheme, H1, "<style>@media (prefers-color-scheme: %s) { h1 { color: #777 !important; "
                   "background: #777 } }</style><h1>" % scheme, "contrast", BOTH)
      for scheme in SCHEMES),
)


def main(path):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        paths = [path]
        for name, old, new, _, _ in BREAKS:
            broken, count = re.subn(old, new, page, count=1)
            if count == 0 or broken == page:
                print("%s: '%s' is not in the page" % (name, old))
                failed = True
            paths.append(os.path.join(folder, name + ".html"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(broken)
        here = os.path.dirname(os.path.abspath(__file__))
        check = subprocess.run([os.path.join(here, "check_layout.py")] + paths,
                               stdout=subprocess.PIPE, check=False)
        said = check.stdout.decode("utf-8")
    if check.returncode == 77:
        print(said, end="")
        return 77
    for name, _, _, kind, widths in BREAKS:
        for width in widths:
            # Dark or light: a fixed colour may be seen well in one of them.
            told = re.findall(r"^FAIL (\w+), %s\.html, %s px: %s:" % (name, width, kind), said, re.M)
            if not told or name in SCHEMES and set(told) != {name}:
                print("%s.html at %s px should fail with '%s'" % (name, width, kind))
                failed = True
    if re.search(r"^FAIL \w+, %s," % re.escape(os.path.basename(path)), said, re.M):
        print("%s, which is right, should not be refused" % path)
        failed = True
    if failed or check.returncode != 1:
        print("check_layout.py ended with %d and said:\n%s" % (check.returncode, said))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
