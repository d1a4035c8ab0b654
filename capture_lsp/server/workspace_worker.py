"""The process that checks a whole folder for the server, so that typing goes on unhindered meanwhile.

stdin    one line {"folder", "overrides"}
stdout   lines {"total"}, {"checked": path}, {"file": path, "findings", "errors"}, and {"error": text} where it failed
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from capture_lsp.cache import default_folder, open_cache
from capture_lsp.check import Run, check
from capture_lsp.config.settings import Resolver
from capture_lsp.discovery import discover
from capture_lsp.errors import UserError
from capture_lsp.results import finding_to_json


def main() -> None:
    """Check what standard input names."""
    asked = json.loads(sys.stdin.readline())
    overrides = {key: _tuples(value) for key, value in asked["overrides"].items()}
    try:
        _check(asked["folder"], overrides)
    except UserError as error:
        _send({"error": str(error)})


def _check(folder: str, overrides: dict[str, Any]) -> None:
    resolver = Resolver(folder, overrides)
    files = discover([folder], resolver).files
    cache = open_cache(resolver.for_folder(folder).cache_dir or default_folder())
    try:
        result = check(files, Run(cache=cache, progress=_progress))
    finally:
        if cache is not None:
            cache.close()
    for file in result.files:
        if not file.path.endswith(".ipynb"):  # cells are documents of their own
            errors = [[e.path, e.line, e.kind, e.message] for e in file.errors]
            _send({"file": file.path, "findings": [finding_to_json(f) for f in file.findings], "errors": errors})


def _progress(total: int) -> Callable[[str], None]:
    _send({"total": total})
    return lambda path: _send({"checked": path})


def _send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _tuples(value: Any) -> Any:
    """JSON has no tuples; settings hold nothing else."""
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


if __name__ == "__main__":
    main()
