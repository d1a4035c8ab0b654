"""What real PyTorch does, as a table.

- `python -m tests.truth CAP101 CAP2 [--frontend F] [-v]`: claims of rules against reality, example by example
- `python -m tests.truth --file prog.py --entry fn --inputs "torch.ones(3)" --variant "-torch.ones(3)" [--frontend F]`

`--variant` and `--frontend` may be repeated; inputs are a tuple (positional), a dict (keyword) or the one argument.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tests.truth.client import Worker, request_of

JUDGED = ("dynamo", "fullgraph", "trace", "fx", "script", "export")


def describe(frontend: str, verdict: dict[str, Any], claim: str | None = None, as_claimed: bool = True) -> str:
    """One line of the table, and the details below it."""
    place = ",".join(map(str, verdict.get("lines") or [])) or "-"
    ids = " ".join(verdict.get("ids") or [])
    mark = ""
    if claim is not None:
        mark = f"{claim:15}{'  ' if as_claimed else '! '}"
    extra = []
    if verdict.get("recompiles"):
        extra.append(f"{verdict['recompiles']} recompiles")
    if verdict.get("lost"):
        extra.append("lost " + "; ".join(verdict["lost"])[:120])
    head = f"  {frontend:10} {mark}{verdict['outcome']:15} line {place:8} {ids:8} {', '.join(extra)}"
    lines = [head.rstrip()]
    if verdict.get("message"):
        lines.append(f"{'':13}{verdict['message'][:160]}")
    for item in verdict.get("breaks") or []:
        where = ",".join(map(str, item["lines"])) or "?"
        skips = f" [{item['skips']} skipped]" if item["skips"] else ""
        head = f"{'':13}break at {where} in {item['function']}: {' '.join(item['ids'])}{skips}"
        lines.append(f"{head} {item['reason'][:90]}")
    for item in verdict.get("skipped") or []:
        lines.append(f"{'':13}frame {item['function']} (line {item['line']}) skipped: {item['reason'][:110]}")
    wrong = [item for item in verdict.get("bad_calls") or [] if item["kind"] == "wrong"]
    for item in wrong[1:3]:
        lines.append(f"{'':13}call {item['call']} {item['kind']}: {item['text'][:160]}")
    return "\n".join(lines)


def judge_file(options: argparse.Namespace) -> int:
    with open(options.file, encoding="utf-8") as file:
        source = file.read()
    frontends = options.frontend or list(JUDGED)
    with Worker() as worker:
        reply = worker.judge(request_of(source, options.entry, options.inputs, options.variant, frontends))
    for frontend, verdict in reply["verdicts"].items():
        print(describe(frontend, verdict))
    return 0


def _joined(arguments: list[str]) -> list[str]:
    """`--variant -x` as `--variant=-x`: an expression may begin with a minus."""
    result: list[str] = []
    for argument in arguments:
        if result and result[-1] in ("--inputs", "--variant", "--entry"):
            result[-1] += f"={argument}"
        else:
            result.append(argument)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.truth", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("codes", nargs="*")
    parser.add_argument("--file")
    parser.add_argument("--entry", default="fn")
    parser.add_argument("--inputs", default="torch.ones(3)")
    parser.add_argument("--variant", action="append", default=[])
    parser.add_argument("--frontend", action="append")
    parser.add_argument("-v", "--verbose", action="store_true", help="details even where all is as claimed")
    options = parser.parse_args(_joined(sys.argv[1:]))
    if options.file:
        return judge_file(options)
    if not options.codes:
        parser.error("give rule codes, or --file")
    from tests.truth.rules_table import print_rules

    return print_rules(options.codes, options.frontend, options.verbose)


if __name__ == "__main__":
    sys.exit(main())
