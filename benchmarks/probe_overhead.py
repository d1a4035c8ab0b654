"""What a cold probe costs beside the plain script that it probes, in CPU time, side by side in one run.

The script runs by itself with the probe's backend (`eager`: TorchDynamo captures, nothing is generated); the probe
starts from nothing each time: the command line, torch, the self-test, the capture with everything recorded. The budget
is 1.3 times for the capture alone; the whole report (all frontends, other inputs, other paths) is shown beside it.

    python benchmarks/probe_overhead.py [--rounds 3]
"""

from __future__ import annotations

import argparse
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"

_PLAIN = """\
import runpy, sys, torch
real = torch.compile
def compile(model=None, **given):
    if model is None:
        return lambda target: compile(target, **given)
    return real(model, backend="eager", **{k: v for k, v in given.items() if k == "dynamic"})
torch.compile = compile
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""

_LAYERS = """\
import torch
from torch import nn

torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
model = torch.compile(nn.TransformerEncoder(layer, 12, enable_nested_tensor=False))
model(torch.randn(2, 16, 64))
"""


def cpu(command: list[str]) -> float:
    """Seconds of CPU of a command and everything below it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{command} ended with {done.returncode}: {done.stderr[-1000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        layers = pathlib.Path(folder) / "twelve_layers.py"
        layers.write_text(_LAYERS, encoding="utf-8")
        print(f"medians of {rounds}: seconds of CPU of the plain script, and how many times as much a probe takes")
        print(f"{'program':20} {'plain s':>8} {'capture':>8} {'whole report':>13}")
        for program in (EXAMPLES / "gated_scorer.py", layers):
            probe = [sys.executable, "-m", "capture_lsp", "probe", str(program), "--python", sys.executable, "--quiet"]
            ways = {
                "plain": [sys.executable, "-c", _PLAIN, str(program)],
                "capture": [*probe, "--no-matrix", "--no-paths", "--no-perturb"],
                "whole": probe,
            }
            seconds = {name: [] for name in ways}
            for _ in range(rounds):
                for name, command in ways.items():
                    seconds[name].append(cpu(command))
            middle = {name: statistics.median(found) for name, found in seconds.items()}
            capture, whole = middle["capture"] / middle["plain"], middle["whole"] / middle["plain"]
            print(f"{program.name:20} {middle['plain']:8.2f} {capture:8.2f} {whole:13.2f}")


if __name__ == "__main__":
    main()
