"""What an earlier probe of the same program found, and a new one was not asked for, is still true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capture_lsp.server.verdicts import Probed

if TYPE_CHECKING:
    from runtime_probe.report import Entry


def keep(new: Probed, old: Probed) -> None:
    """Add to a new probe what only the old one found; nothing that both ran was edited in between. With other inputs,
    another torch or another device nothing is kept."""
    to, of = new.evidence.entry, old.evidence.entry
    if (new.torch, new.device, to["inputs"]) != (old.torch, old.device, of["inputs"]) or of["status"] != "ok":
        return
    if to["timing"] is None:
        to["timing"] = of["timing"]
    if to["settings"] is None:
        to["settings"] = of["settings"]
    if to["kernels"] is None:
        to["kernels"], to["graph_costs"] = of["kernels"], of["graph_costs"]
        to["cudagraphs"], to["kernel_errors"] = of["cudagraphs"], of["kernel_errors"]
    _keep_frontends(to, of)


def _keep_frontends(to: Entry, of: Entry) -> None:
    for name, verdict in of["matrix"].items():
        known = to["matrix"].setdefault(name, verdict)
        if known is not verdict and not known["perturbed"]:
            known["perturbed"] = verdict["perturbed"]
