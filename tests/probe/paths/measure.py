"""Follow the paths of every program, and find out by running it on chosen inputs what breaks there are. Prints JSON:
entry → {"paths": [path], "truth": [[line, id]], "alone": [[line, id]] of the first input, "seconds" of the processor,
"events": their names}.

Run as `python -m tests.probe.paths.measure [ENTRY[:OPTION=VALUE] ...]`: a process of its own, whose forks find no
threads.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_name] = "1"

import gc  # noqa: E402
import json  # noqa: E402
import pathlib  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from typing import Any  # noqa: E402

import torch  # noqa: E402

from runtime_probe import selftest  # noqa: E402
from runtime_probe.dynamo.listen import Listener  # noqa: E402
from runtime_probe.job import Job, Limits  # noqa: E402
from runtime_probe.paths.forked import messages_of  # noqa: E402
from runtime_probe.paths.part import run  # noqa: E402
from runtime_probe.subject import ExpressionSubject, LoadedFile  # noqa: E402
from tests.probe.paths.programs import INPUTS  # noqa: E402

PATH = str(pathlib.Path(__file__).with_name("programs.py"))


def breaks_on(subject: ExpressionSubject) -> list[list[tuple[int, str]]]:
    """What plain Dynamo breaks on with each of the inputs, in a fork, from nothing each time; the program may raise."""

    def work(send: Any) -> None:
        for number in range(len(subject.inputs)):
            instance = subject.fresh()
            torch._dynamo.reset()
            with Listener(lambda event: None) as heard:
                instance.call(torch.compile(instance.function, backend="eager"), number)
            send({"breaks": [[found["line"], found["graph_break"]] for _, found, _ in heard.breaks]})

    messages, failure = messages_of(work, 120)
    assert failure is None, failure
    assert len(messages) == len(subject.inputs)
    return [sorted({tuple(b) for b in message["breaks"]}, key=str) for message in messages]


def measure(file: LoadedFile, entry: str, options: dict[str, Any]) -> dict[str, Any]:
    """The paths of one program, and the truth on it."""
    events: list[dict[str, Any]] = []
    begin = time.process_time() + sum(os.times()[2:4])
    run(ExpressionSubject(file, entry, INPUTS[entry][:1]), events.append, Job(PATH, limits=Limits(), options=options))
    seconds = time.process_time() + sum(os.times()[2:4]) - begin
    on_inputs = breaks_on(ExpressionSubject(file, entry, INPUTS[entry]))
    truth = sorted({tuple(b) for found in on_inputs for b in found}, key=str)
    paths = [e["path"] for e in events if e["event"] == "path"]
    told = sorted({e["event"] for e in events})
    return {"paths": paths, "truth": truth, "alone": on_inputs[0], "seconds": round(seconds, 2), "events": told}


def main(arguments: list[str]) -> None:
    """Measure the named programs, or all. `ENTRY:NAME=VALUE` sets an option of the job."""
    torch.set_num_threads(1)
    selftest.run()  # as a zygote does: what the first capture loads is there for every fork
    gc.collect()
    gc.freeze()
    sys.stdout, printed = sys.stderr, sys.stdout  # the programs print
    file = LoadedFile(PATH, "probed_programs")
    found = {}
    for argument in arguments or list(INPUTS):
        entry, _, option = argument.partition(":")
        name, _, value = option.partition("=")
        found[argument] = measure(file, entry, {name: int(value)} if option else {})
    json.dump(found, printed)


if __name__ == "__main__":
    main(sys.argv[1:])
