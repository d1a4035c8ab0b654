"""Starts the language server that this folder holds: `python -I launch.py server`.

It imports the standard library and `libs` alone, never what is installed in the interpreter that runs it. The child
processes of the server get the import path from it, not from the environment: the user's programs do not see `libs`.
Old Pythons must be able to parse this file.
"""

import os
import sys

OLDEST = (3, 10)
CHOOSE = "choose another Python with the command 'capture-lsp: Select Interpreter for the Server'"


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    libs = os.path.join(here, "libs")
    kind = getattr(getattr(sys, "implementation", None), "name", "python")
    name = "%s %d.%d (%s)" % ((kind,) + tuple(sys.version_info[:2]) + (sys.executable,))
    if sys.version_info < OLDEST:
        needed = "the server needs Python %d.%d or later" % OLDEST
        sys.exit("capture-lsp: %s is too old, %s: %s" % (name, needed, CHOOSE))
    if not os.path.isdir(libs):
        sys.exit("capture-lsp: the extension is incomplete (no folder %s): install it again" % libs)
    if not has_native(libs):
        sys.exit("capture-lsp: the extension has no libcst for %s on this machine: %s" % (name, CHOOSE))
    sys.path[:] = [libs] + [entry for entry in sys.path if is_standard(entry, here)]
    from capture_lsp.cli import entry_point

    entry_point()


def has_native(libs):
    """Whether the compiled part of libcst is there for this interpreter; its name tells for which it was built."""
    from importlib.machinery import EXTENSION_SUFFIXES

    return any(os.path.isfile(os.path.join(libs, "libcst", "native" + suffix)) for suffix in EXTENSION_SUFFIXES)


def is_standard(entry, here):
    """Whether an entry of the import path belongs to the standard library."""
    return entry not in ("", here) and not entry.rstrip("/\\").endswith(("site-packages", "dist-packages"))


if __name__ == "__main__":
    main()
