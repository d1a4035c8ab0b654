"""CPU time to the first finding: `capture-lsp check ONE_FILE` against `python -c "import libcst"`, interleaved.

    python benchmarks/startup.py [FILE] [--rounds 10]

The target is at most twice the CPU time of the import.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from check_libraries import cpu_of

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "gpt_sampling.py"
TARGET = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=EXAMPLE)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--command", default=f"{sys.executable} -m capture_lsp")
    options = parser.parse_args()
    check = [*shlex.split(options.command), "check", "--no-cache", "--output-format", "concise", str(options.file)]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import libcst'": [sys.executable, "-c", "import libcst"],
        f"capture-lsp check {options.file.name}": check,
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(options.rounds):
        for name, command in commands.items():
            cpu, done = cpu_of(command)
            if done.returncode not in (0, 1):
                sys.exit(f"{name} ended with {done.returncode}: {(done.stderr or done.stdout)[-2000:]}")
            times[name].append(cpu)
    for name, seconds in times.items():
        print(f"{name:<40} {1000 * min(seconds):>7.0f} ms")
    _, libcst, own = (min(seconds) for seconds in times.values())
    print(f"ratio {own / libcst:.2f} (target: at most {TARGET:.0f})")
    sys.exit(own / libcst > TARGET)


if __name__ == "__main__":
    main()
