"""The command line, configuration, output formats and cache around the analyzer."""

__version__ = "0.1.0"
