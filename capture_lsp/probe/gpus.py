"""The GPUs that kernels can be generated for: the rows of the probe's table of devices."""

from __future__ import annotations

import csv
import functools
import importlib.util
import os

_TABLE = ("kernels", "gpu", "devices.tsv")


@functools.cache
def names() -> tuple[str, ...]:
    """In the order of the table. The probe itself is not imported: it would import torch."""
    spec = importlib.util.find_spec("runtime_probe")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = os.path.join(folder, *_TABLE)
        if not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", newline="") as table:
            rows = list(csv.reader((line for line in table if not line.startswith("#")), delimiter="\t"))
        return tuple(dict.fromkeys(row[0] for row in rows if row[1:2] == ["bandwidth"]))
    return ()
