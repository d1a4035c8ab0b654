"""Writes kernels.json: what Inductor makes of a small function for the CPU, as a probe reports kernels."""

import ast
import json
from pathlib import Path

import torch
from torch._inductor.utils import run_and_get_code


def f(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    y = torch.relu(x @ w)
    return y * 2 + 1


def main() -> None:
    _, (code,) = run_and_get_code(torch.compile(f), torch.randn(8, 16), torch.randn(16, 16))
    first = f.__code__.co_firstlineno
    kernels = [
        {
            "graph": 0,
            "name": node.targets[0].id,
            "language": "cpp",
            "source": node.value.args[1].value,
            "lines": f"make_kernels.py:{first + 1}-{first + 2}",
            "launches": 1,
            "bytes": 8 * 16 * 4 * 2,
            "flops": 8 * 16 * 3,
            "not_fused_because": None,
            "predicted_us": None,
            "measured_us": None,
        }
        for node in ast.parse(code).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr == "cpp_pybinding"
        and isinstance(node.value.args[1], ast.Constant)
    ]
    Path(__file__).with_name("kernels.json").write_text(json.dumps(kernels, indent=2) + "\n")


if __name__ == "__main__":
    main()
