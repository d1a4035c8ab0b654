"""Valid arguments for torch callables: torch's own operator database first, guesses that run for the rest."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from probe import Call

HERE = Path(__file__).parent
SIGNATURES = 12  #: how many differently shaped calls of one operator and dtype are tried


@lru_cache
def operators() -> dict[str, list[Any]]:
    """The operator database by plain name ("sum", "linalg.svd", "nn.functional.relu") and alias."""
    from torch.testing._internal.common_methods_invocations import op_db

    found: dict[str, list[Any]] = {}
    for op in op_db:
        for name in (op.name, *(a.name for a in op.aliases)):
            found.setdefault(name, []).append(op)
    return found


def render(value: Any, inputs: dict[str, Any]) -> str:
    """`value` as source text; tensors and objects that have no literal become named inputs."""
    if isinstance(value, torch.Tensor):
        for name, known in inputs.items():
            if known is value:
                return name
        inputs[f"a{len(inputs)}"] = value
        return f"a{len(inputs) - 1}"
    if isinstance(value, torch.Size):
        return repr(tuple(value))
    if isinstance(value, list):
        return "[" + ", ".join(render(v, inputs) for v in value) + "]"
    if type(value) is tuple:
        return "(" + "".join(render(v, inputs) + ", " for v in value) + ")"
    if isinstance(value, slice):
        return f"slice({value.start!r}, {value.stop!r}, {value.step!r})"
    if isinstance(value, float):
        return repr(value) if value == value and abs(value) != float("inf") else f"float('{value}')"
    if value is None or value is Ellipsis or isinstance(value, (bool, int, complex, str)):
        return repr(value) if value is not Ellipsis else "..."
    if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
        return repr(value)
    if isinstance(value, torch.device):
        return repr(str(value))
    inputs[f"a{len(inputs)}"] = value
    return f"a{len(inputs) - 1}"


def _shape_of(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"T{min(value.dim(), 3)}"
    if isinstance(value, (list, tuple)):
        return f"[{_shape_of(value[0])[:1] if value else ''}]"
    if value is None or isinstance(value, (bool, str)):
        return repr(value)
    return type(value).__name__


def from_database(plain: str, written: str, method: bool) -> Iterator[Call]:
    """Calls of the operator `plain`, written as `written` (`torch.sum`) or as a method (`.sum`)."""
    for op in operators().get(plain, ()):
        for dtype in (torch.float32, torch.int64, torch.bool, torch.complex64):
            if not op.supports_dtype(dtype, "cpu"):
                continue
            try:
                samples = list(itertools.islice(op.sample_inputs("cpu", dtype, requires_grad=False), 400))
            except Exception:
                continue
            known: set[str] = set()
            # Ordinary tensors first: an empty or 0-dim one says little.
            samples.sort(
                key=lambda s: -min(s.input.dim(), 2) if isinstance(s.input, torch.Tensor) and s.input.numel() else 0
            )
            for sample in samples:
                values = [sample.input, *sample.args]
                key = " ".join(_shape_of(v) for v in values) + str(
                    sorted((k, _shape_of(v)) for k, v in sample.kwargs.items())
                )
                if key in known:
                    continue
                known.add(key)
                inputs: dict[str, Any] = {}
                texts = [render(v, inputs) for v in values]
                texts += [f"{k}={render(v, inputs)}" for k, v in sample.kwargs.items()]
                if method:
                    if not isinstance(sample.input, torch.Tensor):
                        continue
                    text = f"{texts[0]}.{written}({', '.join(texts[1:])})"
                else:
                    text = f"{written}({', '.join(texts)})"
                yield Call("", text, inputs, origin=f"op_db:{str(dtype)[6:]}")
                if len(known) >= SIGNATURES:
                    break


def templates(kind: str) -> list[str]:
    """Argument lists to try, the plausible first, for a `function`, a `method`, numpy on an `array` or `constants`."""
    rows = (HERE / "guesses.tsv").read_text(encoding="utf-8").splitlines()
    return [row.partition("\t")[2] for row in rows if row.partition("\t")[0] == kind]


RECEIVERS = ("x", "m", "i", "b", "s", "n", "t3", "c", "img", "spd")


def namespace() -> dict[str, Any]:
    """The inputs that hand-written and guessed calls use, see README."""
    torch.manual_seed(1)
    m = torch.randn(4, 4)
    return {
        "x": torch.tensor([0.5, 1.5, -0.25, 0.75]),
        "v3": torch.randn(4),
        "m": m,
        "t3": torch.randn(2, 4, 4),
        "img": torch.randn(1, 8, 8, 8),
        "seq": torch.randn(5, 2, 4),
        "w": torch.randn(8, 8, 3, 3),
        "x8": torch.randn(8),
        "spd": m @ m.T + 4 * torch.eye(4),
        "i": torch.tensor([0, 2, 1, 3]),
        "i4": torch.tensor([[0, 1, 2, 3], [3, 2, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1]]),
        "lengths": torch.tensor([4, 3]),
        "b": torch.tensor([True, False, True, True]),
        "s": torch.tensor(0.5),
        "n": torch.tensor(2),
        "z": torch.tensor(0),
        "c": torch.tensor([1 + 1j, 2 - 1j, 0.5j, 1.0]),
        "p": torch.tensor([0.1, 0.2, 0.3, 0.4]),
        "g": torch.tensor([0.5, 1.5, -0.25, 0.75], requires_grad=True),
    }


def used(text: str, names: dict[str, Any]) -> dict[str, Any]:
    """The inputs that an expression names."""
    import ast

    seen = {node.id for node in ast.walk(ast.parse(text.replace("\\n", "\n"))) if isinstance(node, ast.Name)}
    return {name: value for name, value in names.items() if name in seen}


_ARRAY = {"A": "x", "M": "m", "I": "i", "B": "b", "S": "spd", "C": "c", "I4": "i4"}


def array_guesses(written: str, given: list[str]) -> Iterator[Call]:
    """Calls of numpy callables; capitals stand for arrays that views of tensors make."""
    import re

    names = namespace()
    for arguments in given:
        text = re.sub(r"\b(I4|[AMIBSC])\b", lambda found: f"{_ARRAY[found.group()]}.numpy()", f"{written}({arguments})")
        yield Call("", text, used(text, names), origin="numpy")


def guesses(written: str, method: bool) -> Iterator[Call]:
    """Calls with arguments that may fit, most plausible first; most of them raise."""
    for receiver in RECEIVERS if method else ("",):
        for given in templates("method" if method else "function"):
            text = f"{receiver}.{written}({given})" if method else f"{written}({given})"
            yield Call("", text, used(text, namespace()), origin="guess")
