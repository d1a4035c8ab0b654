"""The arguments of every command."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from typing import Any, NoReturn

from analyzer.outcome import FRONTENDS
from capture_lsp import __version__
from capture_lsp.cli.arguments import (
    add_budget,
    add_frontend,
    codes,
    count,
    file_ignores,
    frontends,
    gpu,
    jobs,
    late,
    positive,
    texts,
    torch_release,
)
from capture_lsp.config.schema import CHECK_FORMATS, FORMATS, ROOT_MODES, SEVERITIES

_DESCRIPTION = "Shows where PyTorch's graph capture breaks, refuses or is silently wrong, before the program runs."
_PROBE_EXIT = (
    "Exit status: 0 captured whole under torch.compile (and the frontends of --frontend), 1 something to report, "
    "2 wrong usage, or a target that could not be probed to its end."
)
_EXIT = "Exit status: 0 nothing found, 1 findings, 2 wrong usage or configuration, or a file that could not be checked."


class Parser(argparse.ArgumentParser):
    """Names the nearest option of the command where an unknown one was given."""

    _command = ""

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options; what follows `--` on the line of `probe` is the probed program's."""
        given, program = list(arguments), []
        if given[:1] == ["probe"] and "--" in given:
            at = given.index("--")
            given, program = given[:at], given[at + 1 :]
        self._command = given[0] if given else ""
        found = self.parse_args(given)
        found.program_arguments = program
        return found

    def error(self, message: str) -> NoReturn:
        prefix = "unrecognized arguments: "
        if message.startswith(prefix):
            unknown = message[len(prefix) :].split(" ")[0].split("=")[0]
            known = [option for parser in self._named() for option in parser._option_string_actions]
            close = difflib.get_close_matches(unknown, known, n=1)
            message += f" (did you mean {close[0]}?)" if close else ""
        super().error(message)

    def _named(self) -> list[argparse.ArgumentParser]:
        """This parser, and that of the command that was given."""
        actions = [a for a in self._actions if isinstance(a, argparse._SubParsersAction)]
        return [self, *(action.choices[self._command] for action in actions if self._command in action.choices)]


def build() -> Parser:
    """The parser of the whole command line; each command names the function that runs it as `run`."""
    from capture_lsp.cli import lock_arguments, mcp_arguments, report_arguments, simulate_arguments

    parser = Parser(prog="capture-lsp", description=_DESCRIPTION, epilog=_EXIT)
    parser.add_argument("--version", action="version", version=f"capture-lsp {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _check(commands)
    _probe(commands)
    lock_arguments.add(commands)
    report_arguments.add(commands)
    simulate_arguments.add(commands)
    _rule(commands)
    _config(commands)
    _completion(commands)
    _server(commands)
    mcp_arguments.add(commands)
    return parser


def _check(commands: Any) -> None:
    p = commands.add_parser(
        "check",
        usage="capture-lsp check [OPTION ...] [PATH ...]",
        help="check files and folders",
        description="Check files and folders.",
        epilog=_EXIT,
    )
    p.set_defaults(run=late("check_command"))
    p.add_argument("paths", nargs="*", metavar="PATH", help="files or folders; - is standard input (default: .)")

    rules = p.add_argument_group("rules", "codes (CAP101), prefixes (CAP1), names or ALL, separated by commas")
    for name, text in (
        ("select", "use these rules only"),
        ("ignore", "do not use these rules"),
        ("extend-select", "use these rules besides those selected"),
    ):
        rules.add_argument(f"--{name}", type=codes, action="extend", metavar="CODES", help=text)
    rules.add_argument(
        "--per-file-ignores",
        type=file_ignores,
        action="extend",
        metavar="PATTERN:CODE",
        help="do not use a rule in files that match a pattern",
    )

    capture = p.add_argument_group("capture")
    capture.add_argument(
        "--frontend",
        type=frontends,
        action="extend",
        metavar="NAME",
        help=f"judge every root by this frontend (repeatable): {', '.join(FRONTENDS)}",
    )
    capture.add_argument("--roots", choices=ROOT_MODES, help="what counts as captured (default: auto)")
    capture.add_argument("--root", action="append", metavar="PATH::QUALNAME", help="one more root (repeatable)")
    capture.add_argument(
        "--target-torch",
        type=torch_release,
        action="append",
        metavar="VERSION",
        help="default: the torch that the project uses (repeatable with --compare)",
    )
    capture.add_argument(
        "--compare", action="store_true", help="what appears and disappears from one --target-torch to the next"
    )
    capture.add_argument(
        "--python", metavar="PATH", help="the project's interpreter or environment (read; started by --probe alone)"
    )

    probe = p.add_argument_group("probe")
    probe.add_argument(
        "--probe", action="store_true", help="run the files under the real compiler: confirm or refute each finding"
    )
    probe.add_argument("--timeout", type=positive, metavar="SECONDS", help="for each probed function (default: 120)")
    probe.add_argument(
        "--measure", action="store_true", help="with --probe: what each break costs; those that cost most come first"
    )
    add_budget(probe)

    fixes = p.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="apply the safe fixes")
    fixes.add_argument(
        "--unsafe-fixes", action="store_true", default=None, help="with --fix or --diff: the unsafe ones too"
    )
    fixes.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")

    known = p.add_argument_group("known findings", "what is known is neither shown nor counted for the exit status")
    known.add_argument("--baseline", metavar="FILE", help="what this file holds is known")
    known.add_argument("--write-baseline", metavar="FILE", help="write what is found now to this file")
    known.add_argument(
        "--prune", action="store_true", help="with --baseline: take out of the file what no longer occurs"
    )
    known.add_argument(
        "--diff-base",
        metavar="REF",
        help="show only what is on lines changed since this commit of git, or was caused by these changes",
    )
    known.add_argument(
        "--add-ignores", action="store_true", help="add a `# capture: ignore` comment for everything found"
    )
    known.add_argument("--reason", metavar="TEXT", help="with --add-ignores: why")

    files = p.add_argument_group("files")
    files.add_argument(
        "--exclude", type=texts, action="extend", metavar="PATTERNS", help="replaces the default patterns"
    )
    files.add_argument(
        "--extend-exclude", type=texts, action="extend", metavar="PATTERNS", help="more patterns to leave out"
    )
    files.add_argument("--force-exclude", action="store_true", default=None, help="leave out files named outright, too")
    files.add_argument("--no-gitignore", action="store_true", default=None, help="look into what .gitignore leaves out")
    files.add_argument("--stdin-filename", metavar="PATH", help="the path of what comes on standard input")

    output = p.add_argument_group("output")
    output.add_argument("--output-format", choices=CHECK_FORMATS, help="default: full")
    output.add_argument("--output-file", metavar="PATH", help="write the findings there")
    output.add_argument("--statistics", action="store_true", help="count the findings of each rule")
    output.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="NO_COLOR, FORCE_COLOR count for auto"
    )
    output.add_argument("--exit-zero", action="store_true", help="exit with 0 when there are findings")
    output.add_argument(
        "--exit-severity",
        choices=SEVERITIES[:-1],
        metavar="LEVEL",
        help=f"exit with 1 only for findings of this severity or a higher one: {', '.join(SEVERITIES[:-1])}",
    )
    output.add_argument(
        "--max-warnings", type=count, metavar="N", help="exit with 0 when there are only N warnings, and no errors"
    )
    output.add_argument("--quiet", "-q", action="store_true", help="no progress, no notes")

    run = p.add_argument_group("run")
    run.add_argument("--config", metavar="PATH", help="use this configuration file for everything")
    run.add_argument(
        "--jobs", "-j", type=jobs, default=0, metavar="N", help="processes; 0, the default: as many as pay off"
    )
    run.add_argument("--watch", action="store_true", help="check again whenever a file changes")
    run.add_argument("--cache-dir", metavar="PATH", help="default: the user's cache folder")
    run.add_argument("--no-cache", action="store_true", help="read and write no cache")


def _probe(commands: Any) -> None:
    p = commands.add_parser(
        "probe",
        usage="capture-lsp probe [OPTION ...] FILE[::ENTRY] ... [-- ARGUMENT ...]",
        help="run a file under the real compiler and tell what it did",
        description=(
            "Run a file in the project's interpreter under the real compiler and tell what it captured. ENTRY is an "
            "expression in the file's namespace: fn, Net, Net(16, 4), Net(16).encode; without one, what the file "
            "itself captures when it runs. What follows -- is sys.argv of the file."
        ),
        epilog=_PROBE_EXIT,
    )
    p.set_defaults(run=late("probe_command"))
    p.add_argument("targets", nargs="*", metavar="FILE[::ENTRY]", help="what to probe")
    p.add_argument(
        "--all",
        action="store_true",
        help="all that the files and folders given capture (default: .); an interrupted run goes on where it ended",
    )
    p.add_argument(
        "--batch", metavar="FILE", help='more targets as JSON lines {"target", "inputs"}; - is standard input'
    )

    calls = p.add_argument_group("calls")
    calls.add_argument(
        "--inputs",
        action="append",
        metavar="EXPR",
        help="one call: a tuple is the positional arguments, a dict the keyword arguments, anything else the one "
        "argument; repeated: later calls of the same object (default: found in the file, else made up)",
    )
    calls.add_argument("--init", metavar="EXPR", help="the arguments of the entry's constructor, written like --inputs")

    what = p.add_argument_group("what is done")
    add_frontend(what, "compare")
    what.add_argument("--no-matrix", action="store_true", help="torch.compile alone, no other frontends")
    flag = argparse.BooleanOptionalAction
    what.add_argument("--perturb", action=flag, help="other sizes, values and dtypes (default: not in --batch, --all)")
    what.add_argument("--paths", action=flag, help="paths that the inputs do not take (default: as --perturb)")
    what.add_argument("--fake", action="store_true", help="compute nothing: for models too large to run here")

    what.add_argument("--bytecode", action="store_true", help="also each function's bytecode, before and after")

    cost = p.add_argument_group("what it costs")
    cost.add_argument(
        "--measure",
        action="store_true",
        help="time it eagerly, compiled, and compiled without each break; show the kernels that are generated",
    )
    add_budget(cost)
    cost.add_argument(
        "--gpu",
        type=gpu,
        metavar="NAME",
        help="generate the kernels for this GPU, which need not be here, and predict their times: h100, a100, l4, ...",
    )
    cost.add_argument("--settings", action="store_true", help="try arguments of torch.compile, and rank them by time")

    run = p.add_argument_group("run")
    run.add_argument(
        "--python",
        action="append",
        metavar="PATH",
        help="the interpreter or environment to run (default: the project's); repeated: each of them, compared",
    )
    run.add_argument("--timeout", type=positive, metavar="SECONDS", help="for one target (default: 120)")
    run.add_argument("--memory", type=positive, metavar="GIB", help="for one target (default: 8)")
    run.add_argument(
        "--jobs", "-j", type=jobs, metavar="N", help="targets at the same time; 0: as many as processors (default: 1)"
    )
    run.add_argument(
        "--executor",
        choices=("local", "ray"),
        default="local",
        help="ray: on the cluster of RAY_ADDRESS, else a local one (needs capture-lsp[ray])",
    )
    run.add_argument("--no-cache", action="store_true", help="with --all: probe again what was probed before")
    run.add_argument("--config", metavar="PATH", help="use this configuration file for everything")

    output = p.add_argument_group("output")
    output.add_argument("--output-format", choices=FORMATS, help="default: full")
    output.add_argument("--output-file", metavar="PATH", help="write the report there")
    output.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="NO_COLOR, FORCE_COLOR count for auto"
    )
    output.add_argument("--quiet", "-q", action="store_true", help="no progress, no notes")


def _rule(commands: Any) -> None:
    p = commands.add_parser("rule", help="explain a rule", description="Explain a rule.")
    p.set_defaults(run=late("rule_command"))
    p.add_argument("code", nargs="?", metavar="CODE", help="a code or a name")
    p.add_argument("--all", action="store_true", help="list every rule")
    p.add_argument("--output-format", choices=("text", "json"), default="text")


def _config(commands: Any) -> None:
    p = commands.add_parser(
        "config", help="show the settings in force", description="Show settings and where each is from."
    )
    p.set_defaults(run=late("config_command"))
    p.add_argument("path", nargs="?", default=".", metavar="PATH", help="the file or folder they hold for (default: .)")
    p.add_argument("--config", metavar="PATH", help="use this configuration file")
    p.add_argument("--output-format", choices=("text", "json"), default="text")


def _completion(commands: Any) -> None:
    p = commands.add_parser(
        "completion", help="print a completion script", description="Print a shell's completion script."
    )
    p.set_defaults(run=late("completion_command"))
    p.add_argument("shell", choices=("bash", "zsh", "fish"))


def _server(commands: Any) -> None:
    p = commands.add_parser(
        "server", help="serve an editor by the language server protocol", description="Serve one editor over LSP."
    )
    p.set_defaults(run=late("server_command"))
    way = p.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="standard input and output (the default)")
    way.add_argument("--tcp", metavar="HOST:PORT", help="wait for the editor on a TCP port")
    way.add_argument("--ws", metavar="HOST:PORT", help="wait for it on a WebSocket (needs pygls[ws])")
    p.add_argument("--log-file", metavar="PATH", help="write the log there (default: standard error)")
