"""CAP302: logging in captured code."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.fixes import offers
from analyzer.fixes.offers import Maker
from analyzer.flow.events import Call
from analyzer.knowledge.tables import Row
from analyzer.outcome import Frontend, Outcome
from analyzer.rule import Bad, Good, Reporter
from analyzer.table_rule import TableRule


class LoggingInCapturedCode(TableRule):
    """Logging in captured code.

    ## What it does
    Finds calls of loggers (`logging`, and wrappers that return its loggers).

    ## Why it matters
    torch.compile ends the graph at the call, whatever the level is; torch.jit.script refuses it.

    ## Use instead
    Log outside of the captured function, or behind `if not torch.compiler.is_compiling():`. Setting
    `torch._dynamo.config.ignore_logger_methods` makes Dynamo skip the methods that you name.

    ## Fix safety
    The guard with `is_compiling()` is safe: eager runs log as before.

    ## References
    Registry ids GB0291 (methods of loggers), GB4841 and GB0007 (module functions); measured on torch 2.13.
    """

    code, name = "CAP302", "logging-in-captured-code"
    effects = frozenset({"log"})
    message = "{} ends the graph: a graph cannot log"
    outcomes = {
        "dynamo": "graph_break",
        "fullgraph": "refused",
        "export": "captured",
        "trace": "captured",
        "fx": "captured",
        "script": "refused",
    }
    graph_breaks = ("GB0291", "GB4841", "GB0007", "GB6215", "GB0156")
    strict_export = "captured"
    examples = [
        Bad(
            """
import logging

import torch

logger = logging.getLogger(__name__)


def fn(x):
    logger.info("forward of %s", "a batch")  # CAP302
    return x + 1
""",
            fixed="""
import logging

import torch

logger = logging.getLogger(__name__)


def fn(x):
    if not torch.compiler.is_compiling():
        logger.info("forward of %s", "a batch")
    return x + 1
""",
        ),
        Bad(
            """
import logging

import torch
from torch import nn


class Logged(nn.Module):
    def __init__(self):
        super().__init__()
        self.log = logging.getLogger("model")
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        x = self.fc(x)
        self.log.debug("shape %s", x.shape)  # CAP302
        return x.relu()
""",
            fixed="""
import logging

import torch
from torch import nn


class Logged(nn.Module):
    def __init__(self):
        super().__init__()
        self.log = logging.getLogger("model")
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        x = self.fc(x)
        if not torch.compiler.is_compiling():
            self.log.debug("shape %s", x.shape)
        return x.relu()
""",
            title="the level does not matter",
            entry="Logged()",
        ),
        Bad(
            """
import logging

import torch


def fn(x):
    for i in range(2):
        x = x.sin()
        logging.warning("step %d", i)  # CAP302
    return x
""",
            fixed="""
import logging

import torch


def fn(x):
    for i in range(2):
        x = x.sin()
        if not torch.compiler.is_compiling():
            logging.warning("step %d", i)
    return x
""",
            title="in a loop the whole function runs eagerly",
            outcomes={"dynamo": "skipped_frame"},
        ),
        Good(
            """
import logging

import torch

logger = logging.getLogger(__name__)


def fn(x):
    if not torch.compiler.is_compiling():
        logger.info("eager")
    return x + 1
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "refused",
                "export": "captured",
            },
        ),
        Good(
            """
import logging

import torch

logger = logging.getLogger(__name__)
logger.info("loaded")


def fn(x):
    return x + logging.INFO
""",
            outcomes={
                "dynamo": "captured",
                "fullgraph": "captured",
                "trace": "captured",
                "fx": "captured",
                "script": "captured",
                "export": "captured",
            },
        ),
    ]

    def judged(self, event: Call, row: Row, broken: bool) -> dict[Frontend, Outcome]:
        if event.name.startswith("logging.Logger.") and row.name.endswith(".*"):
            # a method that a library added to loggers (warning_once, info_once)
            broken = event.name.rsplit(".", 1)[1].split("_")[0] in (
                "debug",
                "info",
                "warning",
                "error",
                "warn",
                "critical",
                "exception",
            )
        return super().judged(event, row, broken)

    def fixes(self, event: Call, report: Reporter) -> Sequence[Maker]:
        return offers.after(offers.guard(report, event.node, tells=True), report, event, "logs")
