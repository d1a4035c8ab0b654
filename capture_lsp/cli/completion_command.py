"""`capture-lsp completion bash|zsh|fish`: scripts made from the parser itself."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from capture_lsp.cli import CLEAN
from capture_lsp.cli.parser import build


@dataclass(frozen=True)
class _Option:
    flags: tuple[str, ...]
    help: str
    choices: tuple[str, ...]
    takes_value: bool


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    writer = {"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell]
    sys.stdout.write(writer(_commands()))
    return CLEAN


def _commands() -> dict[str, tuple[str, list[_Option]]]:
    """Command → its help and its options; a positional argument with choices has no flags."""
    parser = build()
    action = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {a.dest: a.help or "" for a in action._choices_actions}
    return {
        name: (
            helps.get(name, ""),
            [
                _Option(
                    tuple(a.option_strings),
                    (a.help or "").replace("%%", "%"),
                    tuple(str(c) for c in a.choices or ()),
                    a.nargs != 0,
                )
                for a in sub._actions
                if a.option_strings or a.choices
            ],
        )
        for name, sub in action.choices.items()
    }


def _bash(commands: dict[str, tuple[str, list[_Option]]]) -> str:
    cases = []
    values = []
    for name, (_, options) in commands.items():
        words = [flag for o in options for flag in o.flags] + [c for o in options if not o.flags for c in o.choices]
        cases.append(f'    {name}) words="{" ".join(words)}" ;;')
        for o in options:
            if o.flags and o.choices:
                values.append(f'    "{name} {o.flags[0]}") words="{" ".join(o.choices)}" ;;')
    return f"""_capture_lsp() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{" ".join(commands)} --help --version" -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{chr(10).join(cases)}
  esac
  case "${{COMP_WORDS[1]}} $previous" in
{chr(10).join(dict.fromkeys(values))}
    *) [[ "$current" != -* ]] && COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
  COMPREPLY+=($(compgen -W "$words" -- "$current"))
}}
complete -o filenames -F _capture_lsp capture-lsp
"""


def _zsh(commands: dict[str, tuple[str, list[_Option]]]) -> str:
    def quoted(text: str) -> str:
        return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")

    listed = " ".join(f"'{name}:{quoted(text)}'" for name, (text, _) in commands.items())
    cases = []
    for name, (_, options) in commands.items():
        arguments = []
        for o in options:
            for flag in o.flags:
                value = f": :({' '.join(o.choices)})" if o.choices else ":value:_files" if o.takes_value else ""
                arguments.append(f"'{flag}[{quoted(o.help)}]{value}'")
            if not o.flags:
                arguments.append(f"'1: :({' '.join(o.choices)})'")
        arguments.append("'*:file:_files'")
        cases.append(f"    {name}) _arguments {' '.join(arguments)} ;;")
    return f"""#compdef capture-lsp
_capture_lsp() {{
  if (( CURRENT == 2 )); then
    local -a commands=({listed})
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{chr(10).join(cases)}
  esac
}}
compdef _capture_lsp capture-lsp
"""


def _fish(commands: dict[str, tuple[str, list[_Option]]]) -> str:
    def quoted(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = []
    for name, (text, options) in commands.items():
        lines.append(f"complete -c capture-lsp -n __fish_use_subcommand -f -a {name} -d {quoted(text)}")
        seen = f"'__fish_seen_subcommand_from {name}'"
        for o in options:
            flags = " ".join(f"-l {f[2:]}" if f.startswith("--") else f"-s {f[1:]}" for f in o.flags)
            value = f" -x -a {quoted(' '.join(o.choices))}" if o.choices else " -r" if o.takes_value else ""
            lines.append(f"complete -c capture-lsp -n {seen} {flags}{value} -d {quoted(o.help)}".replace("  ", " "))
    return "\n".join(lines) + "\n"
