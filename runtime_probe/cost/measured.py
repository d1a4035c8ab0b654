"""One process of a measurement: everything compiled and timed in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence

import torch

from runtime_probe.cost import compiled
from runtime_probe.cost.contender import Contender
from runtime_probe.cost.guards import Watch, microseconds
from runtime_probe.cost.result import race
from runtime_probe.cost.rounds import Samples
from runtime_probe.cost.trial import Trial
from runtime_probe.cost.variants import Variant
from runtime_probe.job import describe
from runtime_probe.subject import Subject

#: Told what comes next.
Step = Callable[[str], None]
COMPILED = "the program was compiled"


@dataclass
class Measured:
    """What one process measured. `samples` are of eager, compiled, and the variants of `variants` in that order, by
    their numbers; `cold`: the seconds of the first compiled call; `messages`: why a variant could not be compiled."""

    samples: Samples
    variants: List[int] = field(default_factory=list)
    messages: Dict[int, str] = field(default_factory=dict)
    cold: float = 0.0
    guards_us: Optional[float] = None
    threads: int = 0

    def programs(self, wanted: Sequence[int]) -> List[int]:
        """The places in `samples` of eager, compiled and some variants."""
        return [0, 1, *(2 + self.variants.index(number) for number in wanted)]


def measured(
    subject: Subject,
    trial: Trial,
    variants: Dict[int, Variant],
    threads: Optional[int],
    time_for: Callable[[], float],
    rounds: int,
    may_compile: Callable[[], bool],
    tell: Step,
) -> Measured:
    """Compile all and let them race. `time_for` gives the seconds that the race may take, `rounds` is how many it has
    at most, `may_compile` says whether there is time for one more variant. Raises what compiling the program as it is
    raises."""
    torch._dynamo.reset()
    compiled.allow_variants(len(variants) + 1)
    with Watch() as watch:
        used = compiled.use_threads(threads)
        tell("Inductor compiled something small")
        compiled.warm_up()

        def make(instance: Any) -> Any:
            return compiled.for_timing(instance, trial.captures)

        tell("the program was called again and again without capture")
        eager = Contender(subject, trial, watch, None)
        eager.warm()
        tell(COMPILED)
        watch.kept.clear()
        as_it_is = Contender(subject, trial, watch, make, like=eager)
        as_it_is.warm()
        found = Measured(Samples(0), cold=as_it_is.cold, guards_us=microseconds(watch.kept), threads=used)
        contenders = [eager, as_it_is]
        for number, variant in variants.items():
            tell(f"the program was compiled without {len(variant.places)} of its breaks")
            if not may_compile():
                found.messages[number] = "there was no time to compile it: raise it with --budget"
                continue
            try:
                contender = Contender(subject, trial, watch, make, variant.swap(), eager)
                contender.warm()
            except Exception as error:
                found.messages[number] = f"it cannot be compiled: {describe(error)}"
                continue
            found.variants.append(number)
            contenders.append(contender)
        tell("it was timed")
        found.samples = race(contenders, time_for(), rounds)
        return found
