"""Makes `bundled/libs`: the language server, and all that it imports, for one platform: `python bundle.py [TARGET]`.

Everything but libcst is pure Python. Of libcst there is one compiled module for each version of CPython, whose name
tells for which; the rest of its wheels is the same.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name

CLIENT = Path(__file__).resolve().parent.parent
PROJECT = CLIENT.parent
LIBS = CLIENT / "bundled" / "libs"
REQUIREMENTS = CLIENT / "bundled" / "requirements.txt"
PACKAGES = ("analyzer", "capture_lsp", "runtime_probe")

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
#: VS Code's name of a platform → the platform tags of wheels that run there.
TARGETS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "linux-arm64": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "alpine-x64": ("musllinux_1_2_x86_64",),
    "alpine-arm64": ("musllinux_1_2_aarch64",),
    "darwin-x64": ("macosx_11_0_x86_64",),
    "darwin-arm64": ("macosx_11_0_arm64",),
    "win32-x64": ("win_amd64",),
    "win32-arm64": ("win_arm64",),
}
COMPILED = "libcst"
#: The last release with wheels for a platform that the pinned one has none for.
OLDER = {"darwin-x64": "libcst==1.8.6"}
#: libcst needs it for its command line alone, `libcst.tool`.
LEFT_OUT = frozenset({"pyyaml", "pyyaml-ft"})
_UNUSED = re.compile(
    r"^libcst/(.*/)?tests/|^libcst/tool\.py$|\.dist-info/(RECORD|INSTALLER|REQUESTED|direct_url\.json)$"
)
#: What describes a single wheel, and so differs among those of one release.
_OF_ONE_WHEEL = re.compile(r"\.dist-info/(WHEEL$|sboms/)")


def main() -> int:
    """Make the folder anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=sorted(TARGETS), nargs="?", default="linux-x64")
    target = parser.parse_args().target
    shutil.rmtree(LIBS, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        for wheel in wheels(target, Path(folder)):
            unpack(wheel)
    problems = missing() + without_licence()
    for problem in problems:
        print(f"bundle: {problem}", file=sys.stderr)
    return 1 if problems else 0


def wheels(target: str, folder: Path) -> list[Path]:
    """Fetch, or build, all wheels; ours first."""
    pins = [line for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    pure_pins = [pin for pin in pins if not pin.startswith(f"{COMPILED}==")]
    compiled = [OLDER[target]] if target in OLDER else [pin for pin in pins if pin not in pure_pins]
    own = folder / "own"
    pip("wheel", "--no-deps", "--wheel-dir", str(own), str(copy_of_project(folder / "source")))
    pure = folder / "pure"
    download(pure, pure_pins, "--platform", "any", "--abi", "none")
    tags = [part for tag in TARGETS[target] for part in ("--platform", tag)]
    for python in PYTHONS:
        abi = "cp" + python.replace(".", "")
        download(folder / abi, compiled, *tags, "--implementation", "cp", "--abi", abi, "--python-version", python)
    return [wheel for part in sorted(folder.iterdir()) for wheel in sorted(part.glob("*.whl"))]


def download(folder: Path, pins: list[str], *options: str) -> None:
    """Fetch the wheels of exactly these releases."""
    pip("download", "--no-deps", "--only-binary=:all:", "--dest", str(folder), *options, *pins)


def pip(*arguments: str) -> None:
    """Run the pip of this interpreter."""
    command = [sys.executable, "-m", "pip", arguments[0], "--quiet", "--disable-pip-version-check", *arguments[1:]]
    subprocess.run(command, check=True)


def copy_of_project(folder: Path) -> Path:
    """A copy to build the wheel from: setuptools leaves files that it would pack the next time as well."""
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
    for package in PACKAGES:
        shutil.copytree(PROJECT / package, folder / package, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, folder / name)
    return folder


def unpack(wheel: Path) -> None:
    """Add the files of a wheel. Raises where another wheel had one of them with another content."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith("/") or _UNUSED.search(name):
                continue
            content, place = archive.read(name), LIBS / name
            if place.exists() and place.read_bytes() != content and not _OF_ONE_WHEEL.search(name):
                raise SystemExit(f"bundle: {name} of {wheel.name} differs from that of another wheel")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


def missing() -> list[str]:
    """What the bundled distributions need, under any of the Pythons, that is not there or of another release."""
    found = dict(distributions())
    problems = []
    for name, (_, needs) in found.items():
        for need in needs:
            other = canonicalize_name(need.name)
            wanted = need.marker is None or any(
                need.marker.evaluate({"python_version": python, "python_full_version": f"{python}.0", "extra": ""})
                for python in PYTHONS
            )
            if not wanted or other in LEFT_OUT:
                continue
            if other not in found:
                problems.append(f"{name} needs {need}: add it to {REQUIREMENTS.name}")
            elif not need.specifier.contains(found[other][0], prereleases=True):
                problems.append(f"{name} needs {need}, not {found[other][0]}")
    return problems


def distributions() -> Iterator[tuple[str, tuple[str, list[Requirement]]]]:
    """(name, (version, what it needs)) of all that is bundled."""
    for metadata in sorted(LIBS.glob("*.dist-info/METADATA")):
        head = metadata.read_text(encoding="utf-8").partition("\n\n")[0]
        fields = [line.split(": ", 1) for line in head.splitlines() if re.match(r"[\w-]+: ", line)]
        version = next(value for key, value in fields if key == "Version")
        name = next(value for key, value in fields if key == "Name")
        yield canonicalize_name(name), (version, [Requirement(v) for k, v in fields if k == "Requires-Dist"])


def without_licence() -> list[str]:
    """Distributions that bring no licence: they must not be given away."""
    lacking = []
    for folder in sorted(LIBS.glob("*.dist-info")):
        if not any(re.match(r"(?i)(licen[cs]e|copying|notice)", path.name) for path in folder.rglob("*")):
            lacking.append(f"{folder.name} has no licence")
    return lacking


if __name__ == "__main__":
    sys.exit(main())
