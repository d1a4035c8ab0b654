"""Has this process keep the memory of large tensors, so that a call does not ask the system for it page by page.

The C library decides that by itself, early and differently in each process: the same eager program may take half as
long in the next one. What is measured here is a process that has run for a while.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys

#: Numbers of `mallopt` in glibc's malloc.h, and the largest threshold that it takes (32 MiB).
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_LARGEST = 32 << 20
_NEVER = (1 << 31) - 1


def keep_memory() -> bool:
    """Whether it is kept from now on: a C library other than glibc is left as it is."""
    if not sys.platform.startswith("linux"):
        return False
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.gnu_get_libc_version  # noqa: B018  (another C library has none)
        return bool(library.mallopt(_MMAP_THRESHOLD, _LARGEST) and library.mallopt(_TRIM_THRESHOLD, _NEVER))
    return False
