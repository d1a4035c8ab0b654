"""What the probe measures, against a benchmark of the same program written by hand, in the same run.

    python benchmarks/cost_of_breaks.py [--seconds 20] [--output FILE] [NAME ...]

For each file of `programs/cost`: the part `measure` of a probe, and then, in five processes of its own, the program run
eagerly and under `torch.compile` in turns: the ratio of the medians of each, and Student's interval of their mean.
A program with `FIXED` was also fixed by hand: what the probe says of it without its breaks is compared with that. Both
use one thread. It holds where the 95 % intervals overlap and the ratios differ by at most 15 %.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time
from typing import Any

from cost_programs import PROGRAMS, loaded

ROOT = pathlib.Path(__file__).resolve().parents[1]
CLOSE = 1.15
#: By hand; and Student's t for 95 % of so many.
PROCESSES, STUDENT = 5, 2.776
_ZYGOTE = "from runtime_probe.zygote import main; main()"


def main() -> int:
    """Print a table; the status says whether everything agrees."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="programs, all without any")
    parser.add_argument("--seconds", type=float, default=20.0, help="for the races of programs against each other")
    parser.add_argument("--output", type=pathlib.Path, help="the results as JSON")
    parser.add_argument("--by-hand", metavar="NAME", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.by_hand:
        print(json.dumps(by_hand(given.by_hand, given.seconds)))
        return 0
    names = given.names or sorted(path.stem for path in PROGRAMS.glob("*.py"))
    rows = []
    for name in names:
        load = os.getloadavg()[0]
        rows += compared(name, probed(name, given.seconds), asked_by_hand(name, given.seconds), load)
        print(*map(shown, rows[-2:] if rows[-1]["what"] == "without" else rows[-1:]), sep="\n", flush=True)
    if given.output:
        given.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    holding = sum(row["holds"] for row in rows)
    print(f"{holding} of {len(rows)} agree")
    return 0 if holding == len(rows) else 1


def probed(name: str, seconds: float) -> Any:
    """The probe's timing of a program."""
    module = loaded(name)
    path = str(PROGRAMS / f"{name}.py")
    request = {
        "id": 1,
        "path": path,
        "entry": module.ENTRY,
        "inputs": [module.INPUTS],
        "parts": ["measure"],
        "options": {"budget": 60 + 6 * seconds, "threads": 1},
        "limits": {"seconds": 1200, "part": 1200},
    }
    process = subprocess.Popen(
        [sys.executable, "-c", _ZYGOTE], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            reply = json.loads(line)
            if "entries" in reply:
                process.stdin.close()
                [entry] = reply["entries"]
                return entry["timing"] or {"verdict": "not measured", "message": entry["message"], "without": []}
    raise RuntimeError("the probe ended without an answer")


def asked_by_hand(name: str, seconds: float) -> Any:
    """The benchmark by hand, in processes of its own with one thread, which differ as those of the probe do."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    # The memory of large tensors is kept, as in the probe: see runtime_probe/cost/allocator.py.
    kept = {"MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(2**31 - 1)}
    command = [sys.executable, __file__, "--by-hand", name, "--seconds", str(seconds / PROCESSES)]
    environment = {**os.environ, **threads, **kept}
    found = []
    for _ in range(PROCESSES):
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        found.append(json.loads(done.stdout.splitlines()[-1]))
    return {key: over_processes([one[key] for one in found]) for key in found[0]}


def by_hand(name: str, seconds: float) -> dict[str, float]:
    """Ratios of medians in one process: eager over compiled, and eager over the fixed program, compiled."""
    import torch

    torch.set_num_threads(1)
    module = loaded(name)
    namespace = {**vars(module), "torch": torch}
    torch.manual_seed(0)
    given = eval(module.INPUTS, namespace)
    inputs = given if isinstance(given, tuple) else (given,)
    eager = eval(module.ENTRY, namespace)
    programs = {"eager": eager, "compiled": torch.compile(eval(module.ENTRY, namespace))}
    if hasattr(module, "FIXED"):
        programs["fixed"] = torch.compile(eval(module.FIXED, namespace))
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for program in programs.values():
            for _ in range(5):
                program(*inputs)
        began = time.perf_counter()
        eager(*inputs)
        number = max(1, int(0.05 / (time.perf_counter() - began)))
        took: dict[str, list[float]] = {key: [] for key in programs}
        gc.collect()
        gc.disable()
        ends = time.perf_counter() + seconds
        keys = list(programs)
        while time.perf_counter() < ends:
            printed.seek(0)
            printed.truncate()
            for key in keys:
                began = time.perf_counter()
                for _ in range(number):
                    programs[key](*inputs)
                took[key].append(time.perf_counter() - began)
            keys = keys[1:] + keys[:1]
    median = {key: statistics.median(values) for key, values in took.items()}
    return {key: median["eager"] / median[key] for key in median if key != "eager"}


def over_processes(ratios: list[float]) -> dict[str, float]:
    """Their geometric mean, with Student's 95 % interval of the logarithms."""
    logarithms = [math.log(ratio) for ratio in ratios]
    mean = statistics.fmean(logarithms)
    margin = STUDENT * statistics.stdev(logarithms) / math.sqrt(len(ratios))
    return {"ratio": math.exp(mean), "low": math.exp(mean - margin), "high": math.exp(mean + margin)}


def compared(name: str, timing: Any, hand: Any, load: float) -> list[dict[str, Any]]:
    """Rows of both: the program as it is, and without its breaks."""
    rows = [row_of(name, "as it is", timing, hand["compiled"], load)]
    if "fixed" in hand:
        without = max(timing["without"], key=lambda row: len(row["breaks"]), default={"message": "no break was found"})
        rows.append(row_of(name, "without", without, hand["fixed"], load))
    return rows


def row_of(name: str, what: str, probe: Any, hand: Any, load: float) -> dict[str, Any]:
    """One comparison."""
    row = {"name": name, "what": what, "load": load, "hand": hand, "holds": False}
    row["probe"] = {key: probe.get(key) for key in ("ratio", "low", "high", "verdict", "message", "cold_s", "how")}
    if probe.get("ratio") is not None:
        overlap = probe["low"] <= hand["high"] and hand["low"] <= probe["high"]
        apart = max(probe["ratio"] / hand["ratio"], hand["ratio"] / probe["ratio"])
        row["holds"] = overlap and apart <= CLOSE
        if name == "pointwise":
            row["holds"] = row["holds"] and probe["low"] > CLOSE
    return row


def shown(row: dict[str, Any]) -> str:
    """A row as text."""
    probe, hand = row["probe"], row["hand"]
    if probe["ratio"] is None:
        said = f"not measured: {probe['message']}"
    else:
        said = f"{probe['ratio']:5.2f} [{probe['low']:.2f}, {probe['high']:.2f}]"
    by_hand = f"{hand['ratio']:5.2f} [{hand['low']:.2f}, {hand['high']:.2f}]"
    mark = "ok" if row["holds"] else "NOT"
    return f"{row['name']:16} {row['what']:9} probe {said}  by hand {by_hand}  load {row['load']:.1f}  {mark}"


if __name__ == "__main__":
    sys.exit(main())
