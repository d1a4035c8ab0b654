"""How long may be measured."""

from __future__ import annotations

#: Seconds for one entry, unless the user says otherwise; most of it is Inductor's.
BUDGET = 120.0
