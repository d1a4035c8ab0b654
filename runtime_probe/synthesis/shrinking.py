"""Smaller settings of the same proportions, for models too large to be built just to be looked at."""

from __future__ import annotations

import re
from typing import Any, Dict, List

_LAYERS = re.compile(r".*num_.*(layers|blocks)|n_?layers?|.*depth|.*_layers|num_layers?|layers")
_HEADS = re.compile(r".*heads?")
_WIDTH = re.compile(
    r".*(hidden|embed|embd|intermediate|inner|ffn|ff|mlp|model|projection|proj|rank|channels?|filters|inplanes|caption)"
    r"_?(size|dims?|channels?|units)?|d_.*|.*_dims?|dims?|n_embd|.*_size|dim_.*|width|planes|.*channels.*|.*sizes"
)
_NOT_WIDTH = re.compile(
    r".*(vocab|position|image|img|patch|kernel|window|sample|batch|chunk|block|pad|stride|num_labels|in_channels|"
    r"out_channels|num_channels|group|token|axes|freq|codebook|time|seq|length|hop|frame|bucket|stage|rate).*"
)
_EXPERTS = re.compile(r".*num_.*experts|n_.*experts|.*experts?_?(num|count)?")
_IMAGE = re.compile(r"(image|img)_size")
FEW_LAYERS, FEW_EXPERTS, SMALL_IMAGE, LEAST_PER_HEAD, SMALL_VOCABULARY = 2, 4, 224, 4, 1024


def variants(fields: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Changes of the fields, smallest first, ending with none: narrow and shallow, wider and shallow, shallow only."""
    found: List[Dict[str, Any]] = []
    for smallest in (32, 64, 128, 0):
        narrow = {**_narrow(fields, smallest), **_vocabulary(fields)} if smallest else {}
        changed = {**_shallow(fields), **narrow, **_image(fields)}
        if changed not in found:
            found.append(changed)
    for changed in (_shallow(fields), {}):
        if changed not in found:
            found.append(changed)
    return found


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _shallow(fields: Dict[str, Any]) -> Dict[str, Any]:
    """Two layers, four experts; a list with an entry for each stage keeps its length."""
    changed: Dict[str, Any] = {}
    counts = set()
    for name, value in fields.items():
        plain = name.lower()
        if _EXPERTS.fullmatch(plain) and _is_size(value) and value > FEW_EXPERTS and "per" not in plain:
            changed[name] = FEW_EXPERTS
        elif _LAYERS.fullmatch(plain) and not _HEADS.fullmatch(plain):
            if _is_size(value) and value > FEW_LAYERS:
                counts.add(value)
                changed[name] = FEW_LAYERS
            elif isinstance(value, (list, tuple)) and value and all(_is_size(v) for v in value) and max(value) < 64:
                if "depth" in plain and max(value) > 1:
                    changed[name] = type(value)([1] * len(value))
    for name, value in fields.items():
        per_layer = isinstance(value, (list, tuple)) and len(value) in counts and name not in changed
        if per_layer and all(isinstance(v, str) for v in value):
            changed[name] = type(value)([*value[: FEW_LAYERS - 1], value[-1]])
        elif "experts_per" in name.lower() or "top_k" in name.lower():
            if _is_size(value) and value > 2 and FEW_EXPERTS in changed.values():
                changed[name] = 2
    return changed


def _narrow(fields: Dict[str, Any], smallest: int) -> Dict[str, Any]:
    """All widths divided by one power of two, so that heads, groups and projections still fit each other."""
    widths: Dict[str, Any] = {}
    for name, value in fields.items():
        plain = name.lower()
        if not _WIDTH.fullmatch(plain) or _NOT_WIDTH.fullmatch(plain) or _HEADS.fullmatch(plain):
            continue
        sizes = value if isinstance(value, (list, tuple)) else [value]
        if sizes and all(_is_size(size) for size in sizes):
            widths[name] = value
    main = [v for v in widths.values() if _is_size(v) and v >= 64]
    listed = [max(v) for v in widths.values() if not _is_size(v)]
    largest = max(main + listed, default=0)
    head = [v for n, v in widths.items() if "head" in n.lower() and _is_size(v)]
    heads = max([v for n, v in fields.items() if _HEADS.fullmatch(n.lower()) and _is_size(v)], default=1)
    split = [v for v in main if v % heads == 0 and v >= LEAST_PER_HEAD * heads] if not head else []
    factor = 1
    while (
        largest // (factor * 2) >= smallest
        and all(v // (factor * 2) >= 8 for v in head)
        and all(v // (factor * 2) >= LEAST_PER_HEAD * heads and v // (factor * 2) % heads == 0 for v in split)
    ):
        factor *= 2
    changed: Dict[str, Any] = {}
    for name, value in widths.items():
        if _is_size(value):
            if value >= 2 * factor and value % factor == 0 and factor > 1:
                changed[name] = value // factor
        elif factor > 1 and all(v % factor == 0 for v in value):
            changed[name] = type(value)(v // factor for v in value)
    return changed


def _image(fields: Dict[str, Any]) -> Dict[str, Any]:
    changed: Dict[str, Any] = {}
    for name, value in fields.items():
        if _IMAGE.fullmatch(name.lower()) and _is_size(value) and value > SMALL_IMAGE:
            changed[name] = SMALL_IMAGE if value % SMALL_IMAGE == 0 or value % 256 else 256
    return changed


def _vocabulary(fields: Dict[str, Any]) -> Dict[str, Any]:
    """A small vocabulary, where the special tokens are among its first."""
    special = [v for n, v in fields.items() if n.lower().endswith(("_id", "_index", "_idx")) and _is_size(v)]
    if max(special, default=0) >= SMALL_VOCABULARY:
        return {}
    large = [n for n, v in fields.items() if n.lower() == "vocab_size" and _is_size(v) and v > SMALL_VOCABULARY]
    return dict.fromkeys(large, SMALL_VOCABULARY)
