"""What a git repository says of files: those that changed since a commit, and their content then. Reads only."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from capture_lsp.errors import UserError

_FILE_MODES = frozenset({"100644", "100755"})
_SUBMODULE = "160000"


@dataclass(frozen=True)
class Change:
    """A file that differs: its path then and now, each None where there is no file. Paths are absolute; `blob`: the
    content then, in `repository`."""

    before: str | None
    after: str | None
    blob: str
    repository: Repository = field(compare=False)


class Repository:
    """The repository that a folder belongs to."""

    def __init__(self, folder: str, environ: Mapping[str, str] = os.environ) -> None:
        """Raises UserError where there is none."""
        self._folder = folder
        self._environ = {**environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
        top = self._git("rev-parse", "--show-toplevel")
        if top is None:
            raise UserError(f"{folder} is in no git repository: --diff-base needs one")
        # As the caller names it: git resolves symbolic links.
        inner = (self._git("rev-parse", "--show-cdup") or b"").decode("utf-8", "surrogateescape").strip()
        self.top = os.path.normpath(os.path.join(folder, inner))

    def base(self, ref: str) -> str:
        """The commit where the present one parted from `ref`; that of `ref` where nothing is in common."""
        commit = self._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        if commit is None:
            raise UserError(
                f"--diff-base: no commit {ref!r} here; a shallow clone may lack it (git fetch --unshallow, "
                "or fetch-depth: 0 in the checkout)"
            )
        name = commit.decode().strip()
        parted = self._git("merge-base", name, "HEAD")
        return parted.decode().strip() if parted is not None else name

    def changes(self, commit: str) -> list[Change]:
        """The files of the working tree that differ from a commit, those of submodules and files that git does not know
        yet among them."""
        options = ("--raw", "-z", "-M", "--no-relative", "--no-abbrev", "--ignore-submodules=none")
        raw = self._must("diff", *options, commit)
        fields = raw.decode("utf-8", "surrogateescape").split("\0")
        found: list[Change] = []
        position = 0
        while position < len(fields) - 1:
            old_mode, new_mode, blob, _, status = fields[position].lstrip(":").split(" ")
            renamed = status[0] in "RC"
            names = fields[position + 1 : position + (3 if renamed else 2)]
            position += 1 + len(names)
            if new_mode == _SUBMODULE:
                found += self._of_submodule(self._path(names[-1]), blob if old_mode == _SUBMODULE else None)
                continue
            before = self._path(names[0]) if old_mode in _FILE_MODES and status[0] != "C" else None
            after = self._path(names[-1]) if new_mode in _FILE_MODES else None
            found.append(Change(before, after, blob, self))
        listed = self._must("ls-files", "--others", "--exclude-standard", "-z", "--full-name", ":/")
        untracked = [name for name in listed.decode("utf-8", "surrogateescape").split("\0") if name]
        return found + [Change(None, self._path(name), "", self) for name in untracked]

    def _of_submodule(self, folder: str, commit: str | None) -> list[Change]:
        """The changes in a submodule since a commit of its own; all its files if that is not there."""
        if not os.path.isdir(folder):
            return []
        inner = Repository(folder, {name: value for name, value in self._environ.items() if name not in self._own()})
        if inner.top != folder:  # not checked out
            return []
        known = commit and inner._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
        empty = inner._must("hash-object", "-t", "tree", "--stdin").decode().strip()
        return inner.changes(commit if commit and known is not None else empty)

    def _own(self) -> frozenset[str]:
        """The variables by which git finds this repository, in a hook for instance."""
        return frozenset(self._must("rev-parse", "--local-env-vars").decode().split())

    def contents(self, blobs: Iterable[str]) -> Mapping[str, bytes]:
        """The content of each blob."""
        wanted = list(dict.fromkeys(blobs))
        if not wanted:
            return {}
        raw = self._must("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in wanted).encode())
        found: dict[str, bytes] = {}
        position = 0
        for blob in wanted:
            end = raw.index(b"\n", position)
            head = raw[position:end].split(b" ")
            position = end + 1
            if len(head) == 3 and head[1] == b"blob":
                size = int(head[2])
                found[blob] = raw[position : position + size]
                position += size + 1
        return found

    def _path(self, name: str) -> str:
        return os.path.join(self.top, *name.split("/"))

    def _must(self, *arguments: str, stdin: bytes = b"") -> bytes:
        done = self._git(*arguments, stdin=stdin)
        if done is None:
            raise UserError(f"git {arguments[0]} failed in {self._folder}")
        return done

    def _git(self, *arguments: str, stdin: bytes = b"") -> bytes | None:
        """What a git command writes; None where it fails."""
        command = ["git", "-c", "core.fsmonitor=false", *arguments]
        try:
            done = subprocess.run(
                command, cwd=self._folder, env=self._environ, input=stdin, capture_output=True, check=False
            )
        except FileNotFoundError:
            raise UserError("--diff-base needs git, which is not on PATH") from None
        except OSError as error:
            raise UserError(f"git does not run: {error.strerror or error}") from None
        return done.stdout if done.returncode == 0 else None


def head(folder: str) -> str | None:
    """The commit that a folder's repository is at; None where there is none, or no git."""
    environ = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    command = ["git", "rev-parse", "--verify", "--quiet", "HEAD"]
    try:
        done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout.decode().strip() or None if done.returncode == 0 else None
