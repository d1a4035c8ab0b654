"""A zygote for tests, spoken to directly: what a client would do, without one."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any

import runtime_probe

_START = "from runtime_probe.zygote import main\n\nmain()\n"


class Zygote:
    """Started from a folder that holds `runtime_probe` alone."""

    def __init__(self, folder: pathlib.Path, environ: dict[str, str] | None = None) -> None:
        shutil.copytree(pathlib.Path(runtime_probe.__file__).parent, folder / "runtime_probe")
        (folder / "start.py").write_text(_START, encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-u", str(folder / "start.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **(environ or {})},
        )
        self.hello = self._read()["hello"]

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        return dict(json.loads(self.process.stdout.readline()))

    def ask(self, path: pathlib.Path, entry: str | None = "fn", **more: Any) -> list[dict[str, Any]]:
        """The entries of one request."""
        assert self.process.stdin is not None
        request = {
            "id": 1,
            "path": str(path),
            "entry": entry,
            "inputs": ["torch.ones(3)"] if entry else [],
            "sys_path": [str(path.parent)],
            "parts": ["dynamo"],
            **more,
        }
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        while "entries" not in (reply := self._read()):
            assert "error" not in reply, reply
        return list(reply["entries"])

    def close(self) -> int:
        """End it, and give its status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(30)
