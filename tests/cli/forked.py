"""The command in a fork of a process that has its modules loaded, which is most of the time of a short run.

A run has its own arguments, folder, environment, input and output, and begins at `entry_point`. What Python itself
reads at its start is not read again: a run whose environment says otherwise needs a process of its own (see `serves`).
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: Beginnings of the names of variables that Python reads when it starts.
AT_START = ("PYTHON", "LC_", "LANG", "LD_")
PROGRAM = (
    "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    if x.sum() > 0:\n        return x\n    return -x\n"
)


def serves(env: Mapping[str, str]) -> bool:
    """Whether a fork would be as good as a new process."""
    names = {name for name in (*env, *os.environ) if name.startswith(AT_START)}
    return hasattr(os, "fork") and all(env.get(name) == os.environ.get(name) for name in names)


class Forks:
    """The loaded process. It ends with `close`, or when its input does."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.forked"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
        )

    def run(
        self, arguments: Sequence[str], cwd: Path, env: Mapping[str, str], stdin: bytes, seconds: float
    ) -> tuple[int, bytes, bytes]:
        """Status, output and errors of one run."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with tempfile.TemporaryDirectory(prefix="forked-") as name:
            folder = Path(name)
            (folder / "0").write_bytes(stdin)
            asked = {"arguments": list(arguments), "cwd": str(cwd), "env": dict(env), "streams": name}
            self._process.stdin.write(json.dumps(asked).encode() + b"\n")
            self._process.stdin.flush()
            if not select.select([self._process.stdout], [], [], seconds)[0]:
                self.close()
                raise subprocess.TimeoutExpired(list(arguments), seconds)
            status = int(self._process.stdout.readline())
            return status, (folder / "1").read_bytes(), (folder / "2").read_bytes()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


def _main() -> None:
    """Answer each line, a run, with its status."""
    import gc

    from capture_lsp.cli import main

    replies = os.dup(1)
    os.set_inheritable(replies, False)
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(PROGRAM, encoding="utf-8")
        for form in ("full", "json"):
            main(["check", str(path), "--no-cache", "--output-format", form])
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            _run(asked)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(replies, b"%d\n" % status)


def _run(asked: dict[str, object]) -> None:
    status = 1
    try:
        _die_with_parent()
        arguments, env = asked["arguments"], asked["env"]
        assert isinstance(arguments, list)
        assert isinstance(env, dict)
        os.chdir(str(asked["cwd"]))
        os.environ.clear()
        os.environ.update(env)
        for number, mode in enumerate((os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT)):
            opened = os.open(os.path.join(str(asked["streams"]), str(number)), mode, 0o600)
            os.dup2(opened, number)
            os.close(opened)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
        sys.argv = ["capture-lsp", *arguments]
        from capture_lsp.cli import entry_point

        entry_point()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _die_with_parent() -> None:
    """A run does not outlive the loaded process (Linux)."""
    import contextlib
    import ctypes
    import signal

    kill_on_parent_death = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(kill_on_parent_death, signal.SIGKILL)


if __name__ == "__main__":
    _main()
