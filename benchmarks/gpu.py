"""Eager, compiled and predicted times of the programs of `programs/cost`, on the GPU of this machine.

    python benchmarks/gpu.py [--rounds 30] [--output FILE] [NAME ...]

Times are medians of calls between CUDA events, eager and compiled in turns. Beside them stands what the probe predicts
for the same GPU, which it makes without looking at it: in a process that sees none. Without a GPU it says so, and its
status is 2.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
from typing import Any

from cost_programs import PROGRAMS, loaded

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
CALLS = 10


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="programs, all without any")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--output", type=pathlib.Path, help="the results as JSON")
    parser.add_argument("--predict", nargs=2, metavar=("NAME", "GPU"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.predict:
        print(json.dumps(predict(*given.predict)))
        return 0
    import torch

    if not torch.cuda.is_available():
        print("There is no GPU here: nothing was measured.")
        return 2
    from runtime_probe.kernels.gpu import devices

    name = torch.cuda.get_device_name()
    key = devices.key_of(name)
    print(f"{name}, torch {torch.__version__}" + ("" if key else ": not in the table of targets, nothing is predicted"))
    print(f"{'program':16} {'eager µs':>10} {'compiled µs':>12} {'ratio':>7} {'predicted':>10} {'launches':>10}")
    rows = []
    for program in given.names or sorted(path.stem for path in PROGRAMS.glob("*.py")):
        row = {"program": program, "gpu": name, **measure(program, given.rounds), **asked(program, key)}
        rows.append(row)
        launches = f"{row.get('eager_launches', '-')} → {row.get('fused_launches', '-')}"
        predicted = f"{row['predicted_ratio']:.2f}" if row.get("predicted_ratio") else "-"
        print(
            f"{program:16} {row['eager_us']:10.1f} {row['compiled_us']:12.1f} {row['ratio']:7.2f} {predicted:>10} "
            f"{launches:>10}",
            flush=True,
        )
    if given.output:
        given.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


def made(name: str) -> tuple[Any, tuple[Any, ...]]:
    """A program's entry and the arguments of its call, on the default device."""
    import torch

    module = loaded(name)
    space = {"torch": torch, **vars(module)}
    torch.manual_seed(0)
    entry, call = eval(module.ENTRY, space), eval(module.INPUTS, space)
    return entry, call if isinstance(call, tuple) else (call,)


def measure(name: str, rounds: int) -> dict[str, Any]:
    """Medians of eager and compiled calls, in turns."""
    import torch

    with torch.device("cuda"):
        torch._dynamo.reset()
        entry, call = made(name)
        kinds = {"eager_us": entry, "compiled_us": torch.compile(entry)}
        for function in kinds.values():
            for _ in range(3):
                function(*call)
        times: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(rounds):
            for kind, function in kinds.items():
                begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                begin.record()
                for _ in range(CALLS):
                    function(*call)
                end.record()
                torch.cuda.synchronize()
                times[kind].append(begin.elapsed_time(end) * 1000 / CALLS)
    medians = {kind: statistics.median(values) for kind, values in times.items()}
    ratios = [eager / compiled for eager, compiled in zip(times["eager_us"], times["compiled_us"])]
    return {**medians, "ratio": statistics.median(ratios), "kernels": by_kernel(kinds["compiled_us"], call)}


def by_kernel(function: Any, call: tuple[Any, ...]) -> dict[str, float]:
    """µs of each kernel of one compiled call."""
    from runtime_probe.kernels.gpu import measure as profiled

    return profiled.by_name(lambda: function(*call))


def asked(name: str, key: str) -> dict[str, Any]:
    """The prediction, from a process that sees no GPU."""
    if not key:
        return {}
    command = [sys.executable, __file__, "--predict", name, key]
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    return dict(json.loads(done.stdout.splitlines()[-1])) if done.returncode == 0 else {}


def predict(name: str, key: str) -> dict[str, Any]:
    """What the probe says of a program for a GPU that it does not see."""
    import torch

    from runtime_probe.kernels import inductor

    inductor.one_process()
    from runtime_probe.kernels.collect import collecting
    from runtime_probe.kernels.gpu import devices, roofline

    device = devices.lookup(key)
    with inductor.own_caches(), collecting(device) as found:
        entry, call = made(name)
        torch.compile(entry)(*call)
    costs = found.costs()
    rows = found.kernels()
    fused = sum(row["predicted_us"] or 0.0 for row in rows)
    eager = sum(
        roofline.of_eager(device, graph.eager.ops(any(made.backward for made in graph.used))) for graph in found.graphs
    )
    return {
        "predicted_us": fused,
        "predicted_ratio": eager / fused if fused else None,
        "eager_launches": sum(cost["eager_launches"] for cost in costs),
        "fused_launches": sum(cost["fused_launches"] for cost in costs),
        "predicted_kernels": {row["name"]: row["predicted_us"] for row in rows},
    }


if __name__ == "__main__":
    sys.exit(main())
