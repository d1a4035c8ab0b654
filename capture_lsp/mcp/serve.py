"""The MCP server: tools that answer with the JSON contracts of the commands. Needs the package `mcp`."""

from __future__ import annotations

import argparse
import gc
import os
import threading
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from capture_lsp import __version__
from capture_lsp.cli.probe_command import python_setting
from capture_lsp.errors import UserError
from capture_lsp.mcp import checking, explaining
from capture_lsp.mcp.probing import Probes
from capture_lsp.mcp.served import Served
from capture_lsp.mcp.strict import StrictServer
from capture_lsp.paths import absolute

_INSTRUCTIONS = (
    "Tells what PyTorch's graph capture (torch.compile, torch.export, torch.jit, torch.fx) does with a program: where "
    "graphs break, are refused, recompile or are silently wrong. Start with `check`, which only reads. `propose_fixes` "
    "and `verify_fix` write nothing: apply the diff or the edits yourself. Paths are relative to the server's folder, "
    "and in it."
)
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_RUNS = ToolAnnotations(read_only_hint=False, open_world_hint=True)


def run(options: argparse.Namespace) -> int:
    """Serve one client on standard input and output until it leaves."""
    gc.enable()  # the command line turns it off for runs that end soon
    cwd = os.getcwd()
    served = Served(cwd, tuple(absolute(path, cwd) for path in options.allow_path or ()))
    probes = Probes(served, options.allow_probe, python_setting(options.python, cwd))
    try:
        build(served, probes).run("stdio")
    finally:
        probes.close()
    return 0


def build(served: Served, probes: Probes) -> StrictServer:
    """The server with its tools."""
    server = StrictServer("capture-lsp", version=__version__, instructions=_INSTRUCTIONS, log_level="WARNING")
    one_at_a_time = threading.Lock()  # the analyzer keeps the last run's trees in its module

    def answered(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        with one_at_a_time:
            try:
                return make()
            except UserError as error:
                raise ToolError(str(error)) from None

    @server.tool(annotations=_READS)
    def check(
        paths: list[str] | None = None,
        select: list[str] | None = None,
        frontends: list[str] | None = None,
        target_torch: str = "",
    ) -> dict[str, Any]:
        """Check files and folders (default: the whole folder) without running anything. Answers with the report of
        `capture-lsp check --output-format json`: findings with place, message, provenance, outcomes and fixes.
        `select`: rule codes or prefixes; `frontends`: judge by these (dynamo, fullgraph, export, trace, script, fx);
        `target_torch`: such as 2.13."""
        scope = checking.Scope(tuple(select or ()), tuple(frontends or ()), target_torch)
        return answered(lambda: checking.checked(paths or (), scope, served))

    @server.tool(annotations=_RUNS)
    def probe(
        target: str,
        inputs: list[str] | None = None,
        init: str | None = None,
        matrix: bool = True,
        perturb: bool = False,
        paths: bool = False,
    ) -> dict[str, Any]:
        """Run a program under the real compiler. `target`: FILE (run as a program) or FILE::ENTRY, an expression in the
        file's namespace, with `inputs`, one expression for each call (made up where there are none). `matrix`: the
        other frontends, too; `perturb`: other inputs; `paths`: paths that the inputs do not take. Answers with the
        report of `capture-lsp probe --output-format json`. Runs the project's code."""
        parts = ("dynamo", *(("fullgraph", "trace", "fx", "script", "export") if matrix else ()))
        parts += (("perturb",) if perturb else ()) + (("paths",) if paths else ())
        return answered(lambda: probes.probed(target, inputs or (), init, parts))

    @server.tool(annotations=_READS)
    def explain(name: str) -> dict[str, Any]:
        """Explain a rule by its code or name (CAP101), with examples that PyTorch has judged; or an id of PyTorch's
        graph-break registry (GB0170): the rules that foresee it."""
        return answered(lambda: explaining.explained(name))

    @server.tool(annotations=_READS)
    def propose_fixes(
        paths: list[str] | None = None, unsafe: bool = False, select: list[str] | None = None
    ) -> dict[str, Any]:
        """What the quick fixes would do; writes nothing. `findings`: those that have fixes, with their edits; `diff`:
        all fixes that apply together, as a patch; `left`: the findings afterwards. `unsafe`: also fixes after which the
        program may compute something else without capture."""
        scope = checking.Scope(tuple(select or ()))
        return answered(lambda: checking.proposed(paths or (), unsafe, scope, served))

    @server.tool(annotations=_RUNS if not probes.refusal else _READS)
    def verify_fix(
        edits: list[dict[str, Any]] | None = None,
        contents: dict[str, str] | None = None,
        paths: list[str] | None = None,
        target: str = "",
        inputs: list[str] | None = None,
    ) -> dict[str, Any]:
        """Whether a change helps; writes nothing. Give `edits` as in a finding's fixes, or `contents`: path to the
        whole new text. `fixed`, `new`, `left`: findings that the change removes, adds and leaves, in the changed files
        and `paths`. With `target` (and `inputs`) as for `probe`, also `probe`: what the real compiler makes of the
        target before and after; that does not say that it computes the same."""

        def make() -> dict[str, Any]:
            changed = checking.changed_contents(edits or (), contents or {}, served)
            found = checking.verified(changed, paths or (), checking.Scope(), served)
            if target:
                found["probe"] = (
                    {"refused": probes.refusal} if probes.refusal else probes.compared(target, inputs or (), changed)
                )
            return found

        return answered(make)

    return server
