#!/usr/bin/env python3
"""usage: check_layout.py PAGE.html…

Checks how pages are laid out, in a browser at the width of a desktop and of a phone, light and dark:
no text is cut or lies on another one, nothing is wider than the window outside a box that scrolls,
and texts have a contrast of 4.5 to 1. layout_checks.js is what looks. Prints each failure with the
page's name and exits with 1 if there is one, with 77 without a browser.
"""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTHS = (1300, 390)
HEIGHT = 900
SECONDS = 300


def frames_page(pages, script):
    frames = "".join(
        '<iframe src="%s" width="%d" height="%d"></iframe>' % (html.escape(page), width, HEIGHT)
        for page in pages for width in WIDTHS)
    return page_around(frames, script)


def page_around(frames, script):
    return ('<!doctype html><meta charset="utf-8"><title>check</title><pre id="results"></pre>%s'
            "<script>%s</script>" % (frames, script))


def find_browser():
    browser = next((found for found in map(shutil.which, BROWSERS) if found), None)
    if browser is None:
        print("skipped: needs chromium")
    return browser


def browse(browser, folder):
    """The lines that the checks left."""
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               "--disable-dev-shm-usage", "--allow-file-access-from-files",
               "--user-data-dir=" + os.path.join(folder, "profile"),
               "--blink-settings=preferredColorScheme=1",  # light, where a frame does not say
               "--window-size=1400,1200", "--dump-dom",
               "file://" + os.path.join(folder, "frames.html")]
    dom = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         timeout=SECONDS, check=False).stdout.decode("utf-8", "replace")
    results = re.search(r'<pre id="results">(.*?)</pre>', dom, re.S)
    return html.unescape(results.group(1)).strip().split("\n") if results else []


def tell(lines):
    """Prints the failures; whether there are none."""
    failures = [line for line in lines if line.startswith("FAIL ")]
    if not lines or not lines[-1].startswith("done "):
        failures.append("FAIL the checks did not end")
    print("\n".join(failures + lines[-1:]))
    return not failures


def script_of(name):
    """What a page runs: the outlines of texts, and these checks."""
    here = os.path.dirname(os.path.abspath(__file__))
    parts = []
    for part in ("outlines.js", name):
        with open(os.path.join(here, part), encoding="utf-8") as file:
            parts.append(file.read())
    return "".join(parts)


def main(paths):
    browser = find_browser()
    if browser is None:
        return 77
    script = script_of("layout_checks.js")
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for path in paths:
            names.append(os.path.basename(path))
            shutil.copy(path, os.path.join(folder, names[-1]))
        with open(os.path.join(folder, "frames.html"), "w", encoding="utf-8") as file:
            file.write(frames_page(names, script))
        return 0 if tell(browse(browser, folder)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
