"""`python -m capture_lsp`: the same as the command, without the working directory on the import path."""

from capture_lsp.isolation import isolate

isolate()

from capture_lsp.cli import entry_point  # noqa: E402

entry_point()
