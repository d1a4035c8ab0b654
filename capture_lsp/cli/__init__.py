"""The command line of `capture-lsp`; `parser` has the commands."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import sys
from collections.abc import Sequence

CLEAN, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130


def entry_point() -> None:
    """What the console script runs."""
    from capture_lsp.isolation import isolate

    isolate()
    gc.disable()  # an analysis keeps what it makes; `--watch` collects between its rounds
    status = main(sys.argv[1:])
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    # Taking millions of tree nodes apart before the process ends would cost a fifth of its time.
    os._exit(status)


def main(arguments: Sequence[str]) -> int:
    """Run one command; the exit status."""
    from capture_lsp.errors import UserError

    _tolerant_streams()
    try:
        from capture_lsp.cli.parser import build

        options = build().parse(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has enough. Nothing may be written at exit, either.
        _write_no_more()
        return FOUND
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EBADF):
            print(f"error: cannot write the output: {error.strerror}", file=sys.stderr)
            _write_no_more()
            return FAILED
        if os.environ.get("CAPTURE_LSP_TRACEBACK"):
            raise
        from capture_lsp.analysis import describe

        print(f"error: {describe(error)}; CAPTURE_LSP_TRACEBACK=1 shows where", file=sys.stderr)
        return FAILED


def _write_no_more() -> None:
    """What is left in the buffer of standard output goes nowhere, at exit, too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tolerant_streams() -> None:
    """A path or a source line that the terminal's encoding cannot show must not end the run, nor a closed stream."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
