"""What becomes of each capture when its inputs or surroundings change in one way."""

from runtime_probe.matrix.perturb.run import run

__all__ = ["run"]
