"""Look-alikes of published packages that Dynamo captures: nothing is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.api import Options, analyze

HEADER = "import numpy as np\nimport torch\nfrom torch import nn\n\n\n"

QUIET = {
    "an answer about compiling behind a try": """
def compiling():
    try:
        import torch

        return torch.compiler.is_compiling()
    except Exception:
        return False


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        old = (x > 0).sum() == 0
        if not compiling() and old:
            print("old inputs")
        return x * 2
""",
    "an answer about compiling that is looked up once": """
_is_compiling = getattr(torch.compiler, "is_compiling", None) or getattr(torch._dynamo, "is_compiling", None)


def compiling() -> bool:
    return bool(_is_compiling()) if _is_compiling is not None else False


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        if not compiling() and bool((x > 0).all()):
            raise ValueError(f"positive: {x.sum().item()}")
        return x * 2
""",
    "a handler for releases that lack a name": """
class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        try:
            dtype = torch.get_autocast_dtype("cpu")
        except (AttributeError, TypeError):
            dtype = torch.get_autocast_cpu_dtype()
        return x.to(dtype)
""",
    "a number rounded by numpy": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(4)])

    def forward(self, x, samples=None):
        every = int(np.ceil(len(self.layers) / len(samples)))
        for index, layer in enumerate(self.layers):
            x = layer(x) + samples[index // every]
        return x
""",
    "a cache keyed by a device": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = {}

    def forward(self, x: torch.Tensor):
        key = str(x.device)
        if key not in self.cache:
            self.cache[key] = torch.ones(3)
        return x + self.cache[key]
""",
    "a number that the call begins anew": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = None

    def begin(self):
        self.scale = 1

    def forward(self, x: torch.Tensor):
        self.begin()
        self.scale *= 2
        return x * self.scale
""",
}


def codes(tmp_path: Path, source: str) -> list[str]:
    path = tmp_path / "program.py"
    path.write_text(HEADER + source)
    return [finding.code for finding in analyze([str(path)], Options()).findings]


@pytest.mark.parametrize("title", QUIET)
def test_nothing_is_said(title: str, tmp_path: Path) -> None:
    assert codes(tmp_path, QUIET[title]) == []


def test_a_loop_whose_turns_end_the_graph_is_not_unrolled(tmp_path: Path) -> None:
    """The frame is skipped for the branch: no number of rows compiles it again."""
    source = """
class Net(nn.Module):
    def forward(self, rows: torch.Tensor):
        total = torch.zeros(())
        for row in rows:
            if row.sum() > 0:
                total = total + row.sum()
        return total
"""
    assert codes(tmp_path, source) == ["CAP101"]
    assert codes(tmp_path, source.replace("if row.sum() > 0", "if row.shape[0] > 0")) == ["CAP204"]


def test_a_buffer_is_a_tensor_however_it_is_made(tmp_path: Path) -> None:
    source = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.limit = nn.Buffer(torch.zeros(()))

    def forward(self, x: torch.Tensor):
        if self.limit > 1:
            return x * 2
        return x + 1
"""
    assert codes(tmp_path, source) == ["CAP101"]
