"""Write `analyzer/knowledge/capture_apis.tsv`: the names that capture APIs take, with the releases that have each.

    pip download torch==2.8.0 --no-deps --only-binary=:all: -d wheels     # and each other release; nothing is installed
    python benchmarks/knowledge/capture_names.py wheels/*.whl > analyzer/knowledge/capture_apis.tsv

Everything is read from sources: parameters from signatures, modes from the table in `list_mode_options`, backends from
their registrations, configuration names from what the config modules assign, in classes with what those inherit.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator

Version = tuple[int, int]
Name = tuple[str, str, str]  #: kind, owner, name

SIGNATURES = {
    "torch.compile": "torch/__init__.py",
    "torch.export.export": "torch/export/__init__.py",
    "torch.jit.trace": "torch/jit/_trace.py",
    "torch.jit.script": "torch/jit/_script.py",
    "torch.fx.symbolic_trace": "torch/fx/_symbolic_trace.py",
    "torch.onnx.export": "torch/onnx/__init__.py",
}
CONFIGS = {
    "torch._dynamo.config": "torch/_dynamo/config.py",
    "torch._inductor.config": "torch/_inductor/config.py",
}
MODES = "torch/_inductor/__init__.py"
BACKENDS = "torch/_dynamo/"


def parameters(tree: ast.Module, function: str) -> Iterator[str]:
    """The parameters of every function of that name, overloads included, in order."""
    seen: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            seen.update(dict.fromkeys(a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)))
    yield from (name for name in seen if name != "self")


def modes(tree: ast.Module) -> Iterator[str]:
    """The keys of the table of modes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "list_mode_options":
            for statement in node.body:
                if isinstance(statement, (ast.Assign, ast.AnnAssign)) and isinstance(statement.value, ast.Dict):
                    yield from (str(key.value) for key in statement.value.keys if isinstance(key, ast.Constant))


def backends(tree: ast.Module) -> Iterator[str]:
    """The names of backends registered in one module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if _registers(decorator.func if isinstance(decorator, ast.Call) else decorator):
                    yield _given(decorator) or node.name
        elif isinstance(node, ast.Call) and _registers(node.func) and (name := _given(node)):
            yield name


def _registers(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and re.fullmatch(r"register_(debug_|experimental_)?backend", node.id) is not None


def _given(node: ast.expr) -> str:
    for keyword in node.keywords if isinstance(node, ast.Call) else ():
        if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    return ""


def settings(tree: ast.Module) -> frozenset[str]:
    """The configuration names of a module: what it assigns; `class triton:` gives `triton.NAME`."""
    classes: dict[str, frozenset[str]] = {}

    def body(statements: Iterable[ast.stmt]) -> Iterator[str]:
        for node in statements:
            if isinstance(node, ast.Assign):
                yield from (target.id for target in node.targets if isinstance(target, ast.Name))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield node.target.id
            elif isinstance(node, ast.ClassDef):
                own = frozenset(body(node.body))
                bases = [classes.get(base.id, frozenset()) for base in node.bases if isinstance(base, ast.Name)]
                classes[node.name] = own.union(*bases)
                yield from (f"{node.name}.{name}" for name in classes[node.name])
            elif isinstance(node, (ast.If, ast.Try)):
                yield from body([*node.body, *node.orelse])

    return frozenset(body(tree.body))


def names_of(wheel: str) -> set[Name]:
    """Everything that one release knows. Raises KeyError if a source is missing, SyntaxError if one cannot be read."""
    found: set[Name] = set()
    with zipfile.ZipFile(wheel) as archive:

        def tree(path: str) -> ast.Module:
            return ast.parse(archive.read(path))

        for api, path in SIGNATURES.items():
            found.update(("keyword", api, name) for name in parameters(tree(path), api.rsplit(".", 1)[1]))
        found.update(("mode", "torch.compile", name) for name in modes(tree(MODES)))
        for path in archive.namelist():
            if path.startswith(BACKENDS) and path.endswith(".py"):
                found.update(("backend", "torch.compile", name) for name in backends(tree(path)))
        for owner, path in CONFIGS.items():
            found.update(("config", owner, name) for name in settings(tree(path)))
    return found


def version_of(wheel: str) -> tuple[int, int, int]:
    """The release of a wheel by its file name. Raises ValueError if the name tells none."""
    match = re.match(r"torch-(\d+)\.(\d+)\.(\d+)", os.path.basename(wheel))
    if match is None:
        raise ValueError(f"{wheel} is not named like a wheel of torch")
    major, minor, patch = map(int, match.groups())
    return major, minor, patch


def rows(releases: dict[Version, set[Name]]) -> Iterator[tuple[str, ...]]:
    """(kind, owner, name, first release, last release or "" if the newest has it)."""
    order = sorted(releases)
    kinds = ("keyword", "mode", "backend", "config")
    every = set().union(*releases.values())
    for name in sorted(every, key=lambda n: (kinds.index(n[0]), n[1:])):
        having = [version for version in order if name in releases[version]]
        yield *name, _text(having[0]), "" if having[-1] == order[-1] else _text(having[-1])


def _text(version: Version) -> str:
    return f"{version[0]}.{version[1]}"


def main(wheels: list[str]) -> int:
    if not wheels:
        print(__doc__, file=sys.stderr)
        return 2
    releases = {version_of(wheel)[:2]: names_of(wheel) for wheel in sorted(wheels, key=version_of)}
    told = ", ".join(map(_text, sorted(releases)))
    print(f"# Names that capture APIs of PyTorch take, and the first and last release that has each (of {told}).")
    print("# Made from the sources in the wheels by benchmarks/knowledge/capture_names.py.")
    print("kind\towner\tname\tsince\tlast")
    for row in rows(releases):
        print("\t".join(row))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
