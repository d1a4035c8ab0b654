"""Whether what `--root` names is there: a misspelt root would look like a clean file."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping

from capture_lsp.config.files import absolute_root
from capture_lsp.errors import UserError
from capture_lsp.reading import Readable, read_bytes, read_text


def verify(roots: Iterable[str], cwd: str, files: Collection[str], contents: Mapping[str, bytes]) -> None:
    """Raise for a root that is in none of the files checked, or that its file does not define."""
    for root in roots:
        path, _, name = absolute_root(root, cwd).partition("::")
        shown = root.partition("::")[0]
        if path not in files:
            raise UserError(f"--root {root}: {shown} is not among the files checked")
        known = _functions(path, contents)
        if known is not None and name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            raise UserError(f"--root {root}: no function or method {name} in {shown}{hint}")


def _functions(path: str, contents: Mapping[str, bytes]) -> set[str] | None:
    """Functions and methods as the analyzer names them; None for a file that does not wholly parse."""
    from analyzer.project import ModuleInfo, Project

    raw = contents.get(path) or read_bytes(path, 64_000_000)
    readable = read_text(path, raw) if isinstance(raw, bytes) else raw
    if not isinstance(readable, Readable):
        return None
    module = Project((), (), {path: readable.text}, frozenset((path,))).load(path)
    if not isinstance(module, ModuleInfo) or module.errors:
        return None
    methods = (method for cls in module.classes.values() for method in cls.methods.values())
    return {info.qualname for info in (*module.functions.values(), *methods)}
