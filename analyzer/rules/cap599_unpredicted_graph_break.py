"""CAP599: a graph break that a probe met and no rule predicted. No `Rule`: nothing in a text says where it is."""

from __future__ import annotations


class UnpredictedGraphBreak:
    """A graph break that the probe met and no rule predicted.

    ## What it does
    With `check --probe`, reports each place where the real compiler broke the graph and no finding stands. The
    registry id and Dynamo's reason are those of the run.

    ## Why it matters
    The prediction was wrong there: the break is real. Whatever else stands on this path may be wrong too.

    ## Example
    Nothing is known of `model.encode`, an object of a package that is not installed where the check runs; the probe
    finds a break in it.

    ## Use instead
    Follow the link of the registry id: it says what the compiler needs.

    ## Fix safety
    No fix is offered.

    ## References
    The graph break registry of PyTorch; `capture-lsp probe` shows the frames and graphs around the break.
    """

    code, name = "CAP599", "unpredicted-graph-break"
    outcomes: dict[str, str] = {"dynamo": "graph_break"}
    graph_breaks: tuple[str, ...] = ()
    examples: tuple[object, ...] = ()
    default = True
