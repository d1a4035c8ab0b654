"""Measure APIs: `python measure.py torch|modules|numpy OUT.jsonl [--eager] [NAME…]`.

Each name runs in a forked child with a time limit.
"""
# ruff: noqa: E402 (threads are limited before torch is imported)

from __future__ import annotations

import csv
import json
import os
import re
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # a forked child hangs in a parallel region that the parent has used

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parent))

import arguments
import names
from objects import scope
from probe import Call, listen, measure

HERE = Path(__file__).parent
LIMIT = 60.0
EAGER = "--eager" in sys.argv  #: only learn what calls return
#: How many calls of each origin are compiled; the others run eagerly only, for what they return.
COMPILED = {"op_db:float32": 4, "op_db:int64": 1, "op_db:bool": 0, "op_db:complex64": 0, "attribute": 2, "guess": 2}


Plan = dict[str, list[Call]]


def hand_calls(path: Path) -> Plan:
    """A hand table: name, when, expression and perhaps module."""
    found: Plan = {}
    inputs = arguments.namespace()
    with path.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            expression, module = row["expression"], row.get("module") or ""
            for training in (True, False) if module else (True,):
                call = Call(
                    row["name"],
                    expression,
                    arguments.used(expression, inputs),
                    row["when"] or "",
                    "hand",
                    module,
                    training,
                )
                if module:
                    call.origin = "train" if training else "eval"
                found.setdefault(row["name"], []).append(call)
    return found


def calls_of(name: str, hand: dict[str, list[Call]]) -> list[Any]:
    """All calls to measure for a name: those by hand, and those from the operator database or guessed."""
    found: list[Any] = list(hand.get(name, ()))
    if found and found[0].module:
        return found
    if name.startswith("numpy."):
        return [*found, *numpy_calls(name)]
    if name.count(".") == 1 and name.startswith("Tensor."):
        method = name.partition(".")[2]
        if not callable(getattr(torch.Tensor, method, None)) and not method.startswith("__"):
            found += [
                Call("", f"{r}.{method}", {r: arguments.namespace()[r]}, origin="attribute")
                for r in ("x", "m", "i", "t3", "c")
            ]
            return found
        found += arguments.from_database(method, method, True)
        if method.endswith("_") and not method.startswith("__"):
            found += arguments.from_database(method[:-1], method, True)
        plain, written = method, method
    else:
        plain, written = name.partition(".")[2], name
        found += arguments.from_database(plain, name, False)
    if not found and name not in names.DANGEROUS and not name.endswith("__"):
        tried = 0
        for call in arguments.guesses(written, name.startswith("Tensor.")):
            probe = measure(call, scope, None, compiled=False, traced=False)  # type: ignore[arg-type]
            if probe.eager == "ok" and probe.returns != ["py", "NotImplementedType", ""]:
                found.append(call)
                tried += 1
                if tried >= 3:
                    break
    return found


def numpy_calls(name: str) -> list[Call]:
    """A call on arrays, one on constants, and the latter where a host number is wanted."""
    found: list[Call] = []
    if name in names.NUMPY_SKIPPED:
        return found
    if name.startswith("numpy.ndarray."):
        method = name.rpartition(".")[2]
        texts = [f"{a}.{method}" for a in ("A", "M", "I")]
        if callable(getattr(np.ndarray, method)):
            texts = [
                f"{a}.{method}({g})"
                for a in ("A", "M", "I")
                for g in ("", "0", "1", "A", "I", "(4,)", "np.float32", "2, 2", "0, 1", "I, A", "0, A", "'A'", "B")
            ]
        tried = [c for t in texts for c in arguments.array_guesses("", [t])]
        for call in tried:
            call.expression = call.expression[1:-1]  # without the parentheses of the empty callee
    else:
        tried = list(arguments.array_guesses(name.replace("numpy", "np", 1), arguments.templates("array")))
    for call in tried:
        if measure(call, scope, None, compiled=False, traced=False).eager == "ok":  # type: ignore[arg-type]
            found.append(replace(call, when="array"))
            break
    if name.startswith("numpy.ndarray."):
        return found
    for call in arguments.array_guesses(name.replace("numpy", "np", 1), arguments.templates("constants")):
        tried_one = measure(call, scope, None, compiled=False, traced=False)  # type: ignore[arg-type]
        if tried_one.eager == "ok":
            found.append(replace(call, when="constants"))
            host = replace(call, expression=f"float({call.expression})", when="constants&host")
            if measure(host, scope, None, compiled=False, traced=False).eager == "ok":  # type: ignore[arg-type]
                found.append(host)
            break
    return found


def _cloned(call: Call) -> Callable[[re.Match[str]], str]:
    def text(match: re.Match[str]) -> str:
        return f"{match.group()}.clone()" if isinstance(call.inputs[match.group()], torch.Tensor) else match.group()

    return text


def run(name: str, hand: dict[str, list[Call]], write: Any) -> None:
    breaks = listen()
    done, compiled = 0, Counter[str]()
    for call in calls_of(name, hand):
        call.name = name
        if call.origin.startswith("op_db") and done >= 30:
            continue
        compiling = compiled[call.origin] < COMPILED.get(call.origin, 99)
        compiling = compiling and not EAGER
        around = partial(scope, module=call.module, training=call.training)
        measured = measure(
            call, around, breaks, compiled=compiling, traced=compiling and (call.origin == "hand" or done < 3)
        )
        if measured.eager == "ok":
            done += 1
            compiled[call.origin] += compiling
        if measured.eager == "ok" or call.origin in ("hand", "train"):
            write(json.dumps(measured.as_dict()))
        if not measured.dynamo or call.module or not call.inputs:
            continue
        # What is an argument of the captured function may be treated unlike what is computed in it: breaks on changed
        # metadata concern arguments only, and the value of a 0-dim argument may be read. So try on computed values too.
        scalars = any(isinstance(v, torch.Tensor) and v.dim() == 0 for v in call.inputs.values())
        if (scalars and call.origin == "hand") or (measured.dynamo != "ok" and not call.when):
            text = re.sub(rf"\b({'|'.join(map(re.escape, call.inputs))})\b", _cloned(call), call.expression)
            inner = replace(call, expression=text)
            again = measure(inner, around, breaks, traced=False).as_dict()
            write(json.dumps({**again, "computed": True}))
    if not done:
        write(json.dumps({"name": name, "eager": "no arguments found"}))


def forked(name: str, hand: dict[str, list[Call]], out: Any) -> str:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        try:
            with os.fdopen(writer, "w") as pipe:

                def write(line: str) -> None:
                    pipe.write(line + "\n")
                    pipe.flush()

                run(name, hand, write)
        except BaseException as error:
            os.write(2, str(error).encode())
            os._exit(1)
        os._exit(0)
    os.close(writer)
    end, text = time.monotonic() + LIMIT, b""
    state = "ok"
    while True:
        ready, _, _ = select.select([reader], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            os.kill(pid, signal.SIGKILL)
            state = "timeout"
            break
        piece = os.read(reader, 65536)
        if not piece:
            break
        text += piece
    os.close(reader)
    _, status = os.waitpid(pid, 0)
    if state == "ok" and status:
        state = f"status {status}"
    lines = [line for line in text.decode().splitlines() if line.endswith("}")]
    out.write("".join(line + "\n" for line in lines))
    if state != "ok":
        out.write(json.dumps({"name": name, "eager": state}) + "\n")
    out.flush()
    return state


def warm_up() -> None:
    """Import and trace once in the parent what every child needs."""
    torch.set_num_threads(1)
    breaks = listen()
    arguments.operators()
    inputs = arguments.namespace()
    for text in ("torch.nonzero(x)", "x.sum().item()", "F.relu(x)"):
        measure(Call("warm", text, arguments.used(text, inputs)), scope, breaks)
    torch._dynamo.reset()


def main() -> None:
    what, target, wanted = sys.argv[1], Path(sys.argv[2]), [a for a in sys.argv[3:] if not a.startswith("--")]
    hand = hand_calls(HERE / {"torch": "calls.tsv", "modules": "modules.tsv", "numpy": "numpy.tsv"}[what])
    every = set(hand)
    if what == "torch":
        calls, attributes = names.methods()
        every |= {*names.functions(), *calls, *attributes}
    elif what == "numpy":
        every |= set(names.numpy_functions())
    order = [n for n in wanted if n in every] if wanted else sorted(every)
    warm_up()
    start = time.monotonic()
    with target.open("w", encoding="utf-8") as out:
        for index, name in enumerate(order):
            state = forked(name, hand, out)
            if index % 50 == 0 or state != "ok":
                print(
                    f"{time.monotonic() - start:7.1f} {index}/{len(order)} {name} {state}", file=sys.stderr, flush=True
                )


if __name__ == "__main__":
    main()
