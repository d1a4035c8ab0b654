"""Samples in the report's form."""

from __future__ import annotations

import gc
import math
from typing import Any, Optional, Sequence

from runtime_probe.cost.clock import EVENTS, WALL
from runtime_probe.cost.contender import Contender
from runtime_probe.cost.interval import FASTER, UNKNOWN, Interval, verdict_of
from runtime_probe.cost.rounds import MOST_ROUNDS, MOST_SPOILED, Samples, sample
from runtime_probe.cost.trial import Trial
from runtime_probe.cost.variants import Variant
from runtime_probe.report import Setting, Timing, Without

EAGER, COMPILED = 0, 1
_COLLECT = 16  #: rounds between two collections of garbage, which is off while calls are timed


def race(contenders: Sequence[Contender], seconds: float, rounds: int = MOST_ROUNDS) -> Samples:
    """Time contenders that are warm against each other, all with the same care for what their calls change."""
    if any(one.each for one in contenders):
        for one in contenders:
            one.put_back_each()
    on = gc.isenabled()
    gc.disable()
    try:
        calls = [one.calls for one in contenders]
        return sample([one.block for one in contenders], calls, seconds, _tidy, most=rounds)
    finally:
        if on:
            gc.enable()


def _tidy(number: int) -> None:
    if number % _COLLECT == 0:
        gc.collect()


def no_timing(message: str) -> Timing:
    """A timing of which nothing is known yet."""
    return {
        "eager_ms": None,
        "compiled_ms": None,
        "ratio": None,
        "low": None,
        "high": None,
        "verdict": "not measured",
        "clock": "wall",
        "eager_cpu_ms": None,
        "compiled_cpu_ms": None,
        "rounds": 0,
        "processes": 0,
        "cold_s": None,
        "break_even_calls": None,
        "guards_us": None,
        "threads": 0,
        "message": message,
        "without": [],
    }


def timing_of(samples: Samples, trial: Trial, cold: float, guards: Optional[float], threads: int) -> Timing:
    """The first two contenders of a race: eager and compiled."""
    ratio = samples.ratio(EAGER, COMPILED)
    eager, eager_cpu = samples.middle(EAGER)
    compiled, compiled_cpu = samples.middle(COMPILED)
    return {
        "eager_ms": milliseconds(eager),
        "compiled_ms": milliseconds(compiled),
        **_bounds(ratio),  # type: ignore[typeddict-item]
        "verdict": verdict_of(ratio),
        "clock": EVENTS if trial.cuda else WALL,
        "eager_cpu_ms": milliseconds(eager_cpu),
        "compiled_cpu_ms": milliseconds(compiled_cpu),
        "rounds": samples.rounds,
        "processes": samples.processes,
        "cold_s": rounded(cold),
        "break_even_calls": break_even(cold, eager, compiled) if verdict_of(ratio) == FASTER else None,
        "guards_us": rounded(guards),
        "threads": threads,
        "message": unsettled(samples),
        "without": [],
    }


def unsettled(samples: Samples) -> str:
    """Why there is no interval."""
    if samples.spoiled >= MOST_SPOILED:
        return "it is compiled again and again for the same inputs"
    if samples.ratio(EAGER, COMPILED) is None:
        known = "1 round, which is" if samples.rounds == 1 else f"{samples.rounds} rounds, which are"
        return f"there was time for {known} too few: raise it with --budget"
    return ""


def break_even(cold: float, eager: Optional[float], compiled: Optional[float]) -> Optional[int]:
    """After how many calls the first one has paid for itself."""
    if eager is None or compiled is None or compiled >= eager:
        return None
    return max(1, math.ceil((cold - compiled) / (eager - compiled)))


def without_of(variant: Variant, samples: Optional[Samples] = None, number: int = 0, message: str = "") -> Without:
    """A variant, with what it measured as a contender of a race."""
    ratio = samples.ratio(EAGER, number) if samples is not None else None
    gain = samples.ratio(COMPILED, number) if samples is not None else None
    bounds = _bounds(gain)
    return {
        "breaks": variant.breaks,
        "how": variant.how,  # type: ignore[typeddict-item]
        **_bounds(ratio),
        "verdict": verdict_of(gain),
        "gain": bounds["ratio"],
        "gain_low": bounds["low"],
        "gain_high": bounds["high"],
        "message": variant.reason or message or (unsettled(samples) if samples is not None else ""),
    }


def setting_of(arguments: str, samples: Optional[Samples], cold: Optional[float], message: str) -> Setting:
    """One setting that was tried, or why it was not."""
    ratio = samples.ratio(EAGER, COMPILED) if samples is not None else None
    made: Any = {
        "arguments": arguments,
        **_bounds(ratio),
        "verdict": verdict_of(ratio) if ratio is not None else UNKNOWN,
        "cold_s": rounded(cold),
        "message": message or (unsettled(samples) if samples is not None else ""),
    }
    return made  # type: ignore[no-any-return]


def _bounds(interval: Optional[Interval]) -> Any:
    if interval is None:
        return {"ratio": None, "low": None, "high": None}
    return {"ratio": rounded(interval.middle), "low": rounded(interval.low), "high": rounded(interval.high)}


def rounded(value: Optional[float]) -> Optional[float]:
    """Four digits: no measurement here has more."""
    return None if value is None else float(f"{value:.4g}")


def milliseconds(seconds: Optional[float]) -> Optional[float]:
    """Seconds as milliseconds."""
    return None if seconds is None else rounded(seconds * 1e3)
