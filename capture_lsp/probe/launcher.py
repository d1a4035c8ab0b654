"""The text of `start.py`, which the user's interpreter runs. Any Python must be able to parse it, however old."""

from __future__ import annotations

#: The oldest Python that the probe runs on.
OLDEST_PYTHON = (3, 9)

START = f"""\
import sys

if sys.version_info < {OLDEST_PYTHON}:
    found = "%d.%d" % sys.version_info[:2]
    sys.stdout.write('{{"fatal": {{"kind": "old-python", "message": "' + found + '"}}}}\\n')
    sys.exit(1)
folder = __file__.replace("\\\\", "/").rpartition("/")[0]
sys.path[:] = [folder] + [entry for entry in sys.path if entry.replace("\\\\", "/") != folder]
from runtime_probe.zygote import main

if __name__ == "__main__":
    main()
"""
