"""Measure which names of torch TorchScript does not know, into `analyzer/knowledge/script_refused.tsv`.

    cd analyzer/knowledge && python ../../benchmarks/knowledge/measure_script.py script_refused.tsv script_tensor.txt

Every public method and attribute of tensors and every public function of torch, torch.nn.functional, torch.linalg,
torch.special, torch.fft, math and the builtins is used in a one-line function; what matters is only the kind of the
error: an unknown name is refused with any arguments, a call with the wrong arguments is not.
"""

from __future__ import annotations

import builtins
import importlib
import linecache
import math
import re
import sys
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import torch

_UNKNOWN = (
    "has no attribute or method",
    "Unknown builtin op",
    "is currently not supported in Torchscript",
    "attribute lookup is not defined",
    "Cannot instantiate class",
    "aren't supported",
    "not supported",
    "Compiled functions can't take",
    "Unknown type",
    "cannot be used as a value",
    "object is not callable",
    "Tried to access nonexistent attribute",
    "must return an object",
    "Could not get name of python class",
    "No source",
    "Failed to get source",
    "Could not find any similar ops",
    "undefined value",
    "is not a valid",
    "does not have an __init__",
    "failed to convert",
)


def compiles(expression: str, **names: Any) -> str:
    """The first line of the refusal of `lambda x: expression` as a script function, or an empty text."""
    source = f"def fn(x):\n    return {expression}\n"
    file = f"<measured {expression}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope: dict[str, Any] = {"torch": torch, "math": math, "__name__": "measured", **names}
    exec(compile(source, file, "exec"), scope)
    try:
        torch.jit.script(scope["fn"])
    except Exception as error:
        return " ".join(str(error).split())[:400] or type(error).__name__
    return ""


def refused(message: str) -> bool:
    """Whether a message says that the name is unknown, not that its arguments are wrong."""
    if not message or "The following variants are available" in message or "Argument " in message[:60]:
        return False
    if message.startswith(("iterabletree cannot be", "None cannot be", "Python slice value")):
        return False  # zip, enumerate, print and slice are known, only not returned
    if re.search(r"Expected a value of type|missing value for argument|expected at most|Unknown keyword", message):
        return False
    return any(word in message for word in _UNKNOWN)


def measured() -> Iterator[tuple[str, str]]:
    for name in sorted(n for n in dir(torch.Tensor) if not n.startswith("_")):
        messages = [compiles(f"x.{name}()"), compiles(f"x.{name}")]
        if all(map(refused, messages)):
            yield f"Tensor.{name}", messages[0]
    modules: list[tuple[str, ModuleType]] = [("torch", torch), ("math", math), ("builtins", builtins)]
    for path in ("torch.nn.functional", "torch.linalg", "torch.special", "torch.fft"):
        modules.append((path, importlib.import_module(path)))
    for path, module in modules:
        for name in sorted(n for n in dir(module) if not n.startswith("_")):
            value = getattr(module, name)
            if not callable(value) or isinstance(value, type) and path != "builtins":
                continue
            if isinstance(value, type) and issubclass(value, BaseException):
                continue
            spelled = name if path == "builtins" else f"{path}.{name}"
            message = compiles(f"{spelled}(x)")
            if refused(message):
                yield f"{path}.{name}", message


def main() -> None:
    warnings.simplefilter("ignore")
    rows = ["name\tmessage"]
    for name, message in measured():
        text = re.sub(r"0x[0-9a-f]+", "0x", message.split(': File "')[0].split(": Could not")[0])[:110]
        rows.append(f"{name}\t{text}")
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("\n".join(rows) + "\n")
    names = sorted(n for n in dir(torch.Tensor) if not n.startswith("_"))
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write("\n".join(names) + "\n")


if __name__ == "__main__":
    main()
