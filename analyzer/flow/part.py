"""Base of the evaluator's mixins."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from analyzer.flow.evaluator import Evaluator


class Part:
    """One of the mixins that the evaluator is put together from."""

    @property
    def whole(self) -> Evaluator:
        """The evaluator that this is a part of."""
        return cast("Evaluator", self)
