"""`capture-lsp mcp` through the client of the official package, over standard input and output."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

MODEL = """\
import torch


@torch.compile
def step(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x + 1
    return x - 1


@torch.compile
def talks(x: torch.Tensor) -> torch.Tensor:
    print("shape", x.shape)
    return x * 2
"""
FIXED = MODEL.replace(
    "    if x.sum() > 0:\n        return x + 1\n    return x - 1\n",
    "    return torch.where(x.sum() > 0, x + 1, x - 1)\n",
)


EDIT = {"line": 1, "column": 1, "end_line": 1, "end_column": 1, "text": "x = 1\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    return tmp_path


def with_client(folder: Path, use: Callable[[Client], Awaitable[None]], *arguments: str) -> None:
    async def main() -> None:
        home = {"HOME": str(folder / "home"), "LOCALAPPDATA": str(folder / "home")}
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "capture_lsp", "mcp", *arguments],
            env={"PYTHONPATH": os.pathsep.join(p for p in sys.path if p), **home},
            cwd=folder,
        )
        with anyio.fail_after(300):
            async with Client(stdio_client(server)) as client:
                await use(client)

    anyio.run(main)


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]


def test_tools_that_read(folder: Path) -> None:
    async def use(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == {"check", "probe", "explain", "propose_fixes", "verify_fix"}
        assert all(tool.description for tool in tools)

        report = await call(client, "check", paths=["model.py"])
        assert set(report) == {"version", "torch", "findings", "errors"}
        branch = next(f for f in report["findings"] if f["code"] == "CAP101")
        assert (branch["path"], branch["line"], branch["function"]) == ("model.py", 6, "step")
        assert (await call(client, "check", select=["CAP9"], target_torch="2.9"))["findings"] == []
        assert "unknown frontend 'dynmo'" in await refused(client, "check", frontends=["dynmo"])

        assert (await call(client, "explain", name="cap101"))["name"] == "data-dependent-branch"
        assert "CAP101" in [rule["code"] for rule in (await call(client, "explain", name="GB0170"))["rules"]]
        assert "did you mean data-dependent-branch" in await refused(client, "explain", name="data-dependent-brunch")

        proposed = await call(client, "propose_fixes", unsafe=True)
        assert proposed["applied"] >= 1
        assert proposed["diff"].startswith("--- model.py\n+++ model.py\n")
        assert (folder / "model.py").read_text(encoding="utf-8") == MODEL

        edits = proposed["findings"][0]["fixes"][0]["edits"]
        code = proposed["findings"][0]["code"]
        assert [f["code"] for f in (await call(client, "verify_fix", edits=edits))["fixed"]] == [code]
        verified = await call(client, "verify_fix", contents={"model.py": FIXED}, target="model.py::step")
        assert [f["code"] for f in verified["fixed"]] == ["CAP101"]
        assert verified["new"] == []
        assert "capture-lsp mcp --allow-probe" in verified["probe"]["refused"]
        added = await call(client, "verify_fix", contents={"new.py": MODEL})
        assert "CAP101" in [f["code"] for f in added["new"]]
        assert "does not parse" in await refused(client, "verify_fix", contents={"model.py": "def"})
        assert "gone.py: no such file or folder" in await refused(client, "check", paths=["gone.py"])
        assert "capture-lsp mcp --allow-probe" in await refused(client, "probe", target="model.py::step")

    with_client(folder, use)


def test_what_a_client_gets_wrong_is_told_in_one_short_line(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.py"
    outside.write_text(MODEL, encoding="utf-8")
    links = sys.platform != "win32"
    if links:
        (folder / "link.py").symlink_to(outside)

    wrong: list[tuple[str, dict[str, Any], str]] = [
        # arguments
        ("check", {"path": ["model.py"]}, "check has no argument 'path' (did you mean paths?)"),
        (
            "check",
            {"paths": ["model.py"], "verbose": True},
            "check has no argument 'verbose'; there are paths, select, ",
        ),
        ("explain", {"name": "CAP101", "code": "CAP101"}, "explain has no argument 'code'"),
        ("explain", {}, "explain: name: field required"),
        ("check", {"paths": "model.py"}, "check: paths: input should be a valid list"),
        ("check", {"select": [3]}, "check: select[0]: input should be a valid string"),
        ("verify_fix", {"contents": {"a.py": 3}}, "verify_fix: contents['a.py']: input should be a valid string"),
        ("chek", {}, "no tool 'chek' (did you mean check?)"),
        ("check", {"select": ["CAP999"]}, "CAP999"),
        ("check", {"target_torch": "new"}, "target_torch 'new' is not a torch version"),
        # names
        ("explain", {"name": "CAP999"}, "no rule 'CAP999' (did you mean CAP"),
        ("explain", {"name": "data-branch"}, "no rule 'data-branch' (did you mean data-dependent-branch"),
        ("explain", {"name": "GB9999"}, "no id 'GB9999' in PyTorch's registry of graph breaks (did you mean GB"),
        ("explain", {"name": "gb170"}, "no id 'gb170' in PyTorch's registry of graph breaks (did you mean GB0170"),
        ("explain", {"name": ""}, "no rule ''"),
        # paths
        ("check", {"paths": [str(outside)]}, "outside of the folder that this server serves"),
        ("check", {"paths": ["../" + folder.name + "/../" + outside.parent.name]}, "outside of the folder"),
        ("check", {"paths": ["/"]}, "outside of the folder"),
        ("check", {"paths": [""]}, "'' is no path"),
        ("propose_fixes", {"paths": [str(outside)]}, "by starting the server with --allow-path"),
        ("verify_fix", {"contents": {str(outside): "x = 1"}}, "outside of the folder"),
        ("verify_fix", {"contents": {"new.py": "x = 1"}, "paths": [str(outside)]}, "outside of the folder"),
        ("verify_fix", {"edits": [{**EDIT, "path": str(outside)}]}, "outside of the folder"),
        ("verify_fix", {"edits": [{**EDIT, "path": "gone.py"}]}, "gone.py: "),
        (
            "verify_fix",
            {"edits": [{"path": "model.py"}]},
            "an edit has path, line, column, end_line, end_column and text",
        ),
        ("probe", {"target": f"{outside}::step"}, "--allow-p"),
    ]
    if links:
        wrong.append(("check", {"paths": ["link.py"]}, "link.py: outside of the folder"))

    async def use(client: Client) -> None:
        for tool, arguments, message in wrong:
            text = await refused(client, tool, **arguments)
            assert message in text, (tool, arguments, text)
            assert "\n" not in text, text
            assert len(text) < 250, text
            assert "Error executing" not in text
        assert (await call(client, "explain", name=" gb0170 "))["graph_break"] == "GB0170"
        assert (await call(client, "explain", name="GB0000"))["rules"] == []  # of the registry, foreseen by none
        tools = (await client.list_tools()).tools
        assert all(tool.input_schema["additionalProperties"] is False for tool in tools)

    with_client(folder, use)

    async def allowed(client: Client) -> None:
        report = await call(client, "check", paths=[str(outside)])
        assert "CAP101" in [f["code"] for f in report["findings"]]
        assert "outside of the folder" in await refused(client, "check", paths=[str(outside.parent.parent)])

    with_client(folder, allowed, "--allow-path", str(outside.parent))


@pytest.mark.truth
def test_probes_where_they_are_allowed(folder: Path) -> None:
    async def use(client: Client) -> None:
        report = await call(client, "probe", target="model.py::step", inputs=["torch.ones(3)"], matrix=False)
        assert report["entries"][0]["frames"][0]["breaks"][0]["path"] == "model.py"
        assert set(report["entries"][0]["matrix"]) == {"dynamo"}
        arguments = {"target": "model.py::step", "inputs": ["torch.ones(3)"]}
        verified = await call(client, "verify_fix", contents={"model.py": FIXED}, **arguments)
        probed = verified["probe"]
        assert probed["worse"] == {}
        assert probed["better"]["model.py::step"][0] == "no longer breaks at `x.sum() > 0` in step"
        assert probed["entries"]["model.py::step"]["breaks"] == 0
        bad = MODEL.replace("    return x * 2", "    print('again')\n    return x * 2")
        verified = await call(client, "verify_fix", contents={"model.py": bad}, target="model.py::talks")
        assert "new break at model.py:14" in verified["probe"]["worse"]["model.py::talks"][0]
        assert "no such file" in await refused(client, "probe", target="gone.py")
        assert "outside of the folder" in await refused(client, "probe", target="../x.py::step")
        assert (folder / "model.py").read_text(encoding="utf-8") == MODEL

    with_client(folder, use, "--allow-probe", "--python", sys.executable)


def test_a_missing_package_is_told(folder: Path) -> None:
    code = (
        "import sys\n"
        "import importlib.util as u\n"
        "real = u.find_spec\n"
        "u.find_spec = lambda name, package=None: None if name == 'mcp' else real(name, package)\n"
        "from capture_lsp.cli import main\n"
        "sys.exit(main(['mcp']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=False)
    assert (done.returncode, done.stderr) == (2, "error: the package mcp is missing: pip install 'capture-lsp[mcp]'\n")
