"""Builds the pages on the way: wheels, source archives and editable installs hold the scripts of the simulator and the
report. All else about the package is in pyproject.toml.

Without npm, or where the build fails, the package is installed all the same; the commands that write pages then say
what to do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
PAGES = HERE / "pages"
ASSETS = HERE / "capture_lsp" / "pages" / "assets"
#: What the bundles are made of, the modules that are shared with the VS Code extension included.
SOURCES = (
    PAGES / "src",
    PAGES / "bundling.mjs",
    PAGES / "esbuild.mjs",
    PAGES / "package-lock.json",
    HERE / "vscode-client" / "src" / "view",
)
SKIP = "CAPTURE_LSP_NO_PAGES"
SECONDS = 300


def build_pages() -> None:
    """Make the assets if they are missing or older than their sources; say in one line what was done, or why not."""
    if not PAGES.is_dir():
        return  # a source archive: it holds the assets
    if os.environ.get(SKIP):
        _say(f"pages are not built: {SKIP} is set")
    elif _built() >= max(path.stat().st_mtime for path in _files()):
        return
    elif not (npm := shutil.which("npm")):
        _say("warning: pages are not built: there is no npm; install Node 20 or later and run `make pages`")
    else:
        why = _run(npm)
        _say(f"warning: pages are not built: {why}; see `make pages`" if why else "pages are built")


def _files() -> Iterator[Path]:
    for source in SOURCES:
        yield from (path for path in source.rglob("*") if path.is_file()) if source.is_dir() else (source,)


def _built() -> float:
    """The time of the oldest asset; 0 where there is none."""
    wanted = [
        ASSETS / f"{page.name}{ending}"
        for page in (PAGES / "src").iterdir()
        if (page / "main.ts").exists()
        for ending in (".js", ".css")
    ]
    return min((path.stat().st_mtime if path.exists() else 0.0 for path in wanted), default=0.0)


def _run(npm: str) -> str:
    """Why it failed; empty where it did not."""
    steps = [[shutil.which("node") or "node", "esbuild.mjs", "--minify"]]
    if not (PAGES / "node_modules" / "esbuild").is_dir():
        steps.insert(0, [npm, "ci", "--omit=dev", "--no-fund", "--no-audit"])
    for step in steps:
        try:
            done = subprocess.run(
                step, cwd=PAGES, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().splitlines()
            line = next((line.strip() for line in said if "error" in line.lower()), said[-1] if said else "no message")
            return f"`{' '.join([Path(step[0]).stem, *step[1:]])}` failed ({line})"
    return ""


def _say(text: str) -> None:
    print(f"capture-lsp: {text}", file=sys.stderr)


class BuildWithPages(build_py):
    """Before the package's files are listed, the assets are there."""

    def run(self) -> None:
        build_pages()
        self.__dict__.pop("data_files", None)
        super().run()


class ArchiveWithPages(sdist):
    """Whoever builds from the archive needs no npm."""

    def run(self) -> None:
        build_pages()
        super().run()


if __name__ == "__main__":
    setup(cmdclass={"build_py": BuildWithPages, "sdist": ArchiveWithPages})
