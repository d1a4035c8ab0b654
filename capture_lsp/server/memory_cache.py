"""The cache of the server's own analyses: units in memory, those of the newest texts alone."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from capture_lsp.cache import Cache, dependencies_digest
from capture_lsp.inventory import Inventory
from capture_lsp.results import Unit

#: Undo brings back a text that was analysed before; more than a few of them are not worth their memory.
MOST_UNITS = 256
MOST_FILES = 50_000


class MemoryCache(Cache):
    """What `capture_lsp.cache.Cache` is, without its database."""

    def __init__(self) -> None:
        self.memo: dict[str, tuple[int, int, str, int]] = {}
        self._values: OrderedDict[str, Any] = OrderedDict()

    def get(self, key: str) -> Any:
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: str, value: Any) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        while len(self._values) > MOST_UNITS:
            self._values.popitem(last=False)

    def get_unit(self, key: str, inventory: Inventory) -> Unit | None:
        value = self.get(key)
        if value is None:
            return None
        unit, digest = value
        assert isinstance(unit, Unit)
        return unit if dependencies_digest(unit.dependencies, inventory) == digest else None

    def put_unit(self, key: str, unit: Unit, inventory: Inventory) -> None:
        self.put(key, (unit, dependencies_digest(unit.dependencies, inventory)))

    def save(self, inventory: Inventory) -> None:
        """Remember what was read from disk."""
        if len(self.memo) > MOST_FILES:
            self.memo.clear()
        for path, modified, size, hash_, flags in inventory.fresh:
            self.memo[path] = (modified, size, hash_, flags)
        inventory.fresh.clear()

    def close(self) -> None:
        self._values.clear()
