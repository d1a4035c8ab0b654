"""Valid arguments for torch callables: torch's own operator database first, guesses that run for the rest."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import torch

from probe import Call

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


FUNCTION_GUESSES = (
    "x|x, x|m|m, m|i|i, i|b|x, 1|x, 0|m, 0|m, 1|i, 1|x, x, x|m, m, m|v3, m, m|m, x, x|x, m, m|t3|t3, t3|t3, t3, t3|img|img, 2|img, (2, 2)|img, img"
    "|s|n|c||4|(2, 3)|2, 3|x, 0.5|m, 0, i4|m, 0, i4, m|x, 2.0|[x, x]|(x, x)|x, torch.float32|torch.float32|m, x|x, b|x, b, x|x, b, 1.0"
    "|x, (4,)|m, (0, 1)|m, 0, 1|m, 1, 0, 1|m, 0, 1, 2|x, -1|m, 2, 0|t3, 1|t3, 1, 2|t3, (0, 1), (1, 0)|'cpu'|'ij->i', m|x, x, x, x|img, w|img, w, x8"
    "|i, m|m, i|m.abs(), i|m, m.abs()|x, x, 2|x, x, 0.5|m, x, 0.5|m, m, 0.5|True|False|m, m, (0, 1)|x.abs()|spd|spd, m|m, spd|x.clamp(0, 1)|i, i, i"
    "|m, i4, 0|x, 4, 1|(2, 3), 1.0|x, None, 2|x, lambda a: a|lambda a: a|str(x)|'a'"
).split("|")

METHOD_GUESSES = (
    "|x|m|1|0|0, 1|2|0, i4|0, i4, m|0, i4, 1.0|b, x|b, 1.0|(2, 2)|2, 2|torch.float32|'cpu'|0.5|x, x|m, m|i|i, i|(0, 1)|1, 0|0, 0, 1|0, 1, 2|x, 0.5"
    "|lambda a: a|None|lambda a: None|x, 0, 1|i4, m|(i4,), m|s|n|True|2, 0|(4,), (1,)|0, i4, m, 'sum'|m, 0|x, lambda a: a|x, x, x|b|-1|[2, 2]"
).split("|")
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


ARRAYS = (
    "A|A, A|A, 1|A, 0|A, (2, 2)|M|M, M|M, 0|M, 1|I|I, I|I, 2|B|B, A, A|A, B|A, A, A|A, 0.5|[A, A]|(A, A)|S, M|S|A, 0.0, 1.0|C|I, (2, 2)|M, I, 0|M, I4, 0|M, I4, M, 0|"
    "A, (1, 1)|M, 0, 1|A, [0], A|A, I, A|A, lambda a: a|'ij,jk', M, M|(2, 2), A|A, A, A, A|2, A|A, (4,)|M, (1, 0)|A, 2, 0|A, np.float32"
).split("|")
CONSTANTS = (
    "3|[1, 2, 3]|2.5|[1.0, 2.0, 3.0]|(2, 3)|3, 2|[1, 2], [3, 4]|[[1.0, 2.0], [3.0, 4.0]]|1.0, 2.0|2, 3|0, 1, 5|[1, 2, 3], 1|[1, 2, 3], 2|(2, 2), 1.0|[True, False]|"
    "[[2.0, 1.0], [1.0, 2.0]], [1.0, 2.0]|[True, False], [1, 2], [3, 4]|(2, 3), (4, 3)|[1, 2, 3], (3,)|'float32'|np.float32|np.int64, np.float32|[0.5], [0.0, 1.0], [0.0, 2.0]|"
    "5, (2,)|0.0, 1.0, 4|[1.0, 2.0, 3.0], 0.5|[1.0, 2.0, 3.0], 0.0, 1.0|''|'a'|lambda a: a, [1, 2]|lambda a: a|3, 3, [1, 2, 3]|"
).split("|")
_ARRAY = {"A": "x", "M": "m", "I": "i", "B": "b", "S": "spd", "C": "c", "I4": "i4"}


def array_guesses(written: str, templates: tuple[str, ...] | list[str]) -> Iterator[Call]:
    """Calls of numpy callables; capitals stand for arrays that views of tensors make."""
    import re

    names = namespace()
    for given in templates:
        text = re.sub(r"\b(I4|[AMIBSC])\b", lambda found: f"{_ARRAY[found.group()]}.numpy()", f"{written}({given})")
        yield Call("", text, used(text, names), origin="guess")


def guesses(written: str, method: bool) -> Iterator[Call]:
    """Calls with arguments that may fit, most plausible first; most of them raise."""
    for receiver in RECEIVERS if method else ("",):
        for given in METHOD_GUESSES if method else FUNCTION_GUESSES:
            text = f"{receiver}.{written}({given})" if method else f"{written}({given})"
            yield Call("", text, used(text, namespace()), origin="guess")
