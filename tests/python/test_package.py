#!/usr/bin/env python3
"""usage: test_package.py BENCH SOURCE

Installs the package of bench/python into a folder, as pip does, and runs check_package.py with it, by the Python
that runs this and by those that BENCH_PYTHONS names, with spaces between: "python3.9 python3.13". Without pandas
it is installed by pip into a folder of the test's own.
"""
import os
import shutil
import subprocess
import sys
import tempfile

bench, source = map(os.path.abspath, sys.argv[1:3])
check = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_package.py")

# The first that reads [project] of pyproject.toml is 61; without it pip fetches one.
NEW_SETUPTOOLS = "setuptools, wheel; assert int(setuptools.__version__.split('.')[0]) >= 61"


def done(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def has(python, module):
    return done(python, "-c", "import " + module).returncode == 0


def pip(python, folder, *arguments):
    return done(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder,
                *arguments)


def last_line(text):
    return (text.strip().splitlines() or ["no message"])[-1]


def install(python, folder):
    """Why the package with what it needs cannot be had; None: it is in the folder."""
    package = os.path.join(folder, "source")
    shutil.copytree(os.path.join(source, "bench", "python"), package,
                    ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    into = os.path.join(folder, "packages")
    if not has(python, "pip"):
        shutil.copytree(os.path.join(package, "bench"), os.path.join(into, "bench"))
        return None if has(python, "pandas") else "needs pandas, or pip to install it"
    if not has(python, "pandas"):
        failed = pip(python, into, "pandas")
        if failed.returncode:
            return "needs pandas: " + last_line(failed.stderr)
    isolated = ["--no-build-isolation"] if has(python, NEW_SETUPTOOLS) else []
    failed = pip(python, into, "--no-deps", *isolated, package)
    if failed.returncode and not isolated:
        return "needs setuptools: " + last_line(failed.stderr)
    if failed.returncode:
        sys.exit("pip install failed: " + failed.stderr)
    return None


def try_with(python):
    """Whether it was tried; ends the test where it failed."""
    with tempfile.TemporaryDirectory() as folder:
        why = install(python, folder)
        if why is not None:
            print(f"skipped: {python} {why}")
            return False
        environment = dict(os.environ, PYTHONPATH=os.path.join(folder, "packages"))
        if subprocess.run([python, "-W", "error", check, bench, source], cwd=folder, env=environment,
                          check=False).returncode:
            sys.exit(f"{python}: failed")
        print(f"{python}: passed")
        return True


tried = [try_with(python) for python in [sys.executable, *os.environ.get("BENCH_PYTHONS", "").split()]]
sys.exit(0 if all(tried) else 77)
