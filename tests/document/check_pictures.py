#!/usr/bin/env python3
"""usage: check_pictures.py PICTURE.svg|FOLDER…

Checks the texts of pictures that gnuplot drew, in a browser: none lies on another one or on a point,
none leaves the picture, and letters have 5 points or more in print. picture_checks.js is what looks.
Prints each failure with the picture's name and exits with 1 if there is one, with 77 without a
browser.
"""

import glob
import html
import os
import shutil
import sys
import tempfile
import urllib.parse

import check_layout

SIDE = 1600


def pictures_of(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(glob.glob(os.path.join(path, "**", "*.svg"), recursive=True))
        else:
            yield path


def main(paths):
    browser = check_layout.find_browser()
    if browser is None:
        return 77
    script = check_layout.script_of("picture_checks.js")
    with tempfile.TemporaryDirectory() as folder:
        frames = []
        for number, path in enumerate(pictures_of(paths)):
            name = "%d-%s" % (number, os.path.basename(path))
            shutil.copy(path, os.path.join(folder, name))
            frames.append('<iframe src="%s" width="%d" height="%d"></iframe>'
                          % (html.escape(urllib.parse.quote(name)), SIDE, SIDE))
        if not frames:
            print("FAIL there is no picture")
            return 1
        with open(os.path.join(folder, "frames.html"), "w", encoding="utf-8") as file:
            file.write(check_layout.page_around("".join(frames), script))
        return 0 if check_layout.tell(check_layout.browse(browser, folder)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
