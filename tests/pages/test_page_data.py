"""What the simulator's page is told besides runs."""

from __future__ import annotations

from dataclasses import replace

from capture_lsp.probe.targets import Target
from capture_lsp.simulator.page_data import command, page_data
from capture_lsp.simulator.program import Program, Surveyed
from runtime_probe.simulation import Controls, Survey

CONTROLS: Controls = {
    "decisions": [],
    "inputs": [{"name": "as given", "ways": []}],
    "sizes": [],
    "numbers": [],
    "dtypes": ["float32"],
    "modes": [],
    "frontends": ["eager"],
}


def surveyed(name: str, path: str) -> Surveyed:
    target = Target(path, path)
    survey: Survey = {"controls": CONTROLS, "source": "", "path": path, "entry": "f", "inputs_text": "()"}
    return Surveyed(Program(name, "Title", "", target, "."), target, survey, CONTROLS, "2.13.0")


def test_a_page_without_a_server_says_what_to_type() -> None:
    assert command(surveyed("early_exit", "early_exit.py")) == "capture-lsp simulate --gallery early_exit"
    assert command(surveyed("", "my models/net.py")) == "capture-lsp simulate 'my models/net.py::f'"


def test_the_page_is_told_it() -> None:
    data = page_data(surveyed("", "net.py"), [], live=False)
    assert data["command"] == "capture-lsp simulate net.py::f"
    assert not data["made_up"]
    assert page_data(replace(surveyed("", "net.py"), made_up=True), [], live=False)["made_up"]
