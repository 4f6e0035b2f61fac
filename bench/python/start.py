"""What the program runs first in the interpreter that it has loaded, before any code of a person's: the
package's modules come from the program itself, so that FILE.py needs nothing installed to import bench."""
import gc
import json
import os
import site
import sys
import types


def _settle(found):
    """Makes this interpreter the one that was found: an environment's packages, its prefix, its name."""
    sys.path[:] = [path for path in found["path"] if path]
    sys.prefix, sys.exec_prefix, sys.executable = found["prefix"], found["exec_prefix"], found["executable"]
    for path in list(sys.path):
        if os.path.basename(path) in ("site-packages", "dist-packages"):
            site.addsitedir(path)  # its .pth files


def start(found, init, read, variants, runner):
    _settle(json.loads(found))
    sys.dont_write_bytecode = True
    sys.stdout = sys.stderr  # standard output is the program's
    gc.disable()  # in the midst of a sample it would be timed
    package = types.ModuleType("bench")
    package.__path__ = []
    sys.modules["bench"] = package
    for name, text in (("_read", read), ("_variants", variants), ("_runner", runner)):
        module = types.ModuleType("bench." + name)
        module.__package__ = "bench"
        sys.modules[module.__name__] = module
        exec(compile(text, f"bench/{name}.py", "exec"), module.__dict__)
        setattr(package, name, module)
    exec(compile(init, "bench/__init__.py", "exec"), package.__dict__)
    return sys.modules["bench._runner"]
