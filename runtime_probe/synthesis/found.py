"""What a search for inputs ends with."""

from __future__ import annotations

import dataclasses
from typing import List


@dataclasses.dataclass(frozen=True)
class Found:
    """Inputs that ran. `entry` and each of `inputs` are expressions in the file's namespace, with torch at hand;
    `tries` counts the calls that it took; `note` says where they came from. The sizes are some that run."""

    entry: str
    inputs: List[str]
    tries: int
    note: str


class NoInputs(Exception):
    """Nothing ran. The message names the last failure that tells most."""

    def __init__(self, stage: str, failure: str, tries: int) -> None:
        self.stage = stage
        self.failure = failure
        self.tries = tries
        option = "--init" if stage == "constructor" else "--inputs"
        what = "constructor arguments" if stage == "constructor" else "inputs"
        reason = f"last failure: {failure}" if failure else "nothing could be tried"
        super().__init__(f"no {what} found in {tries} tries; {reason}; give {option}")
