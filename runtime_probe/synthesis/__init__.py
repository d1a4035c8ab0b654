"""Inputs for what has none: constructor arguments and calls found by names, annotations, layers, and trial."""

from runtime_probe.synthesis.declared import capture_inputs, declared_inputs
from runtime_probe.synthesis.entries import file_entries
from runtime_probe.synthesis.found import Found, NoInputs
from runtime_probe.synthesis.synthesise import synthesise, with_init

__all__ = ["Found", "NoInputs", "capture_inputs", "declared_inputs", "file_entries", "synthesise", "with_init"]
