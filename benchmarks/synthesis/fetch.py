"""Fetch the packages of classes.tsv, by name and version, into a folder of their own, and what importing them needs.

    python -m benchmarks.synthesis.fetch [--cache FOLDER]

Packages come without their dependencies, so that no other torch is installed; dependencies.txt lists those that their
imports need.
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import subprocess
import sys

from benchmarks.synthesis.measure import CACHE, HERE, rows


def install(target: pathlib.Path, wanted: list[str]) -> None:
    """`pip install --no-deps` into a folder, once."""
    if (target / ".complete").exists():
        return
    shutil.rmtree(target, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile", "--target", str(target)]
    subprocess.run([*pip, *wanted], check=True)
    (target / ".complete").touch()


def main() -> None:
    """Fetch what is not there yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=pathlib.Path, default=CACHE)
    cache = parser.parse_args().cache
    cache.mkdir(parents=True, exist_ok=True)
    for package, version in sorted({(row["package"], row["version"]) for row in rows(None, None)}):
        install(cache / f"{package}-{version}", [f"{package}=={version}"])
    dependencies = cache / "dependencies"
    install(dependencies, ["-r", str(HERE / "dependencies.txt")])
    # built for CUDA: torchaudio does without its library, and cannot load it beside a torch for the CPU
    for library in dependencies.glob("torchaudio/lib/*.so"):
        library.unlink()


if __name__ == "__main__":
    main()
