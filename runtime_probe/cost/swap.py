"""The functions of a file with the code that an edited text would give them, exchanged in place and back.

Nothing of the file runs again: objects that hold the functions, or inherited or imported them, see the exchange. Every
function of the file gets a code object of its own, so that nothing that was compiled for the others is reused.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import os
import types
from typing import Any, Dict, Iterator, List, Tuple

Key = Tuple[str, ...]


class CannotSwap(Exception):
    """An edited text changes more than what functions do."""


@functools.cache
def _real(path: str) -> str:
    return os.path.realpath(path)


def text_of(path: str) -> str:
    """The text of a source file."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return file.read().replace("\r\n", "\n").replace("\r", "\n")


def compiled(tree: Any, path: str) -> types.CodeType:
    """A tree or a text as the code of a module."""
    made: types.CodeType = compile(tree, path, "exec", dont_inherit=True)
    return made


def _codes(code: types.CodeType, at: Key = ()) -> Iterator[Tuple[Key, types.CodeType]]:
    """All code within a module's, by the names around it; the second of one name is numbered."""
    seen: Dict[str, int] = {}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            number = seen[constant.co_name] = seen.get(constant.co_name, 0) + 1
            key = (*at, f"{constant.co_name}#{number}")
            yield key, constant
            yield from _codes(constant, key)


def functions_of(path: str) -> List[types.FunctionType]:
    """The functions that exist of a file."""
    real = _real(path)
    return [
        found
        for found in gc.get_objects()
        if type(found) is types.FunctionType and _real(found.__code__.co_filename) == real
    ]


class Swap:
    """`with swap:` the functions of some files have the code of edited texts; `texts`: a text or a tree by path."""

    def __init__(self, texts: Dict[str, Any]) -> None:
        self._pairs: List[Tuple[types.FunctionType, types.CodeType, types.CodeType]] = []
        for path, text in texts.items():
            functions = functions_of(path)
            if not functions:
                raise CannotSwap("no function of the file exists")
            self._add(path, compiled(text, functions[0].__code__.co_filename), functions)
            if isinstance(text, str):
                _execute_new(text, path, functions[0].__globals__)

    def _add(self, path: str, code: types.CodeType, functions: List[types.FunctionType]) -> None:
        new = dict(_codes(code))
        old: Dict[Tuple[str, int], List[Tuple[Key, types.CodeType]]] = {}
        for key, known in _codes(compiled(text_of(path), path)):
            old.setdefault((known.co_name, known.co_firstlineno), []).append((key, known))
        for function in functions:
            present = function.__code__
            keys = old.get((present.co_name, present.co_firstlineno), [])
            if len(keys) > 1:
                keys = [(key, known) for key, known in keys if known.co_code == present.co_code]
            wanted = new.get(keys[0][0]) if keys else None
            if wanted is None:
                continue  # made by `exec`, or gone in the edited text
            if len(wanted.co_freevars) != len(present.co_freevars):
                raise CannotSwap(f"{present.co_name} would close over other variables")
            self._pairs.append((function, present, wanted))
        if not self._pairs:
            raise CannotSwap("the file was changed since it was loaded")

    def __enter__(self) -> None:
        for function, _, edited in self._pairs:
            function.__code__ = edited

    def __exit__(self, *error: object) -> None:
        for function, own, _ in self._pairs:
            function.__code__ = own


def _execute_new(text: str, path: str, namespace: Dict[str, Any]) -> None:
    """Run what an edited text adds to its module: imports, functions, constants. Names that are taken stay."""
    before = {ast.dump(statement) for statement in ast.parse(text_of(path)).body}
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign)
    added = [s for s in ast.parse(text).body if isinstance(s, kinds) and ast.dump(s) not in before]
    for statement in added:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name in namespace:
            continue  # its functions get their new code
        if isinstance(statement, ast.Assign) and any(ast.dump(t) in "".join(before) for t in statement.targets):
            raise CannotSwap("it changes a variable of the module")
        with contextlib.suppress(ImportError):
            exec(compiled(ast.Module(body=[statement], type_ignores=[]), path), namespace)
