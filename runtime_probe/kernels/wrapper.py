"""The code that Inductor generated for one graph, read as Python: its kernels, and each call of one."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Dict, List

#: What the names of a library's kernels begin with.
_LIBRARIES = ("extern_kernels.", "torch.ops.", "aten.", "mkldnn.")
#: Torch's own operations that only look at memory in another way.
_NOT_LAUNCHED = ("torch.ops.inductor._reinterpret_tensor", "torch.ops.inductor.resize_storage_bytes_")
_BENCHMARK = ("get_args", "benchmark_compiled_module")


@dataclass
class Wrapper:
    """`kernels`: name → text of a generated kernel; `languages`: name → `cpp` or `triton`; `calls`: name → the text of
    each call, in order, of generated kernels and of libraries."""

    kernels: Dict[str, str]
    languages: Dict[str, str]
    calls: Dict[str, List[str]]

    @property
    def launches(self) -> int:
        return sum(map(len, self.calls.values()))


def read(source: str) -> Wrapper:
    """Raises SyntaxError for what is no Python."""
    tree = ast.parse(source)
    kernels: Dict[str, str] = {}
    languages: Dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call):
            maker = _dotted(node.value.func)
            if maker.startswith("async_compile."):
                texts = [a.value for a in node.value.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                if texts:
                    kernels[node.targets[0].id] = texts[-1].strip() + "\n"
                    languages[node.targets[0].id] = "triton" if "triton" in maker else "cpp"
    calls: Dict[str, List[str]] = {}
    lines = source.splitlines()
    for call in _calls(tree):
        name = _dotted(call.func)
        launched = name[: -len(".run")] if name.endswith(".run") else name
        if launched in kernels or (name.startswith(_LIBRARIES) and name not in _NOT_LAUNCHED):
            calls.setdefault(launched, []).append(_segment(lines, call))
    return Wrapper(kernels, languages, calls)


def _calls(tree: ast.AST) -> List[ast.Call]:
    """Calls in the order of the text, without those of the benchmark that stands below the code."""
    found: List[ast.Call] = []
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.FunctionDef) and child.name in _BENCHMARK:
            continue
        if isinstance(child, ast.Call):
            found.append(child)
        found += _calls(child)
    return found


def _segment(lines: List[str], call: ast.Call) -> str:
    if call.end_lineno != call.lineno:
        return "\n".join(line.strip() for line in lines[call.lineno - 1 : call.end_lineno])
    text = lines[call.lineno - 1].encode("utf-8")[call.col_offset : call.end_col_offset]
    return text.decode("utf-8", "replace")


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return ""
