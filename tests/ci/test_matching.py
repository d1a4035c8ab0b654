"""What is another finding, although it looks like a known one; and what the fingerprint of a place is."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from analyzer.finding import Finding
from capture_lsp.baseline.fingerprint import Fingerprint, Source
from capture_lsp.baseline.matching import match
from capture_lsp.baseline.normal import Outlines
from capture_lsp.baseline.renames import Defined, defined


class Code:
    """The present texts, as `matching` asks for them."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.sources = {path: Source(text) for path, text in texts.items()}

    def functions(self, path: str) -> frozenset[str] | None:
        return frozenset(self.sources[path].scopes.names) if path in self.sources else None

    def local(self, path: str, function: str) -> frozenset[str]:
        return self.sources[path].scopes.of(function).local

    def through(self, path: str, function: str, helper: str) -> frozenset[str]:
        return self.sources[path].through(function, helper)

    def outline(self, path: str, function: str, former: Mapping[str, str]) -> Outlines:
        return self.sources[path].outline_of(function, former)

    def defined(self) -> Defined:
        return defined([source.tree for source in self.sources.values() if source.tree is not None])


def fingerprints(texts: dict[str, str], word: str = "!") -> list[Fingerprint]:
    """One finding for each expression between two `!`."""
    found = []
    for path, marked in texts.items():
        source = Source(marked.replace(word, ""))
        for number, line in enumerate(marked.split("\n"), 1):
            parts = line.split(word)
            column = 1
            for n, part in enumerate(parts):
                if n % 2:
                    place = (number, column, number, column + len(part))
                    found.append(source.fingerprint(Finding("CAP1", "n", path, *place, "", "", {}), path))
                column += len(part)
    return found


def new(before: dict[str, str], after: dict[str, str]) -> list[str]:
    old, now = fingerprints(before), fingerprints(after)
    matched = match(old, now, Code({path: text.replace("!", "") for path, text in after.items()}))
    return [f"{f.function}: {f.expression}" for f, known in zip(now, matched) if known is None]


NET = """\
class Net:
  def __init__(self):
    self.limit = 1
  def f(self, x):
    low = x + 1
    if !low.max() > self.limit!:
      low = low / self.limit
    return low
"""
F = "def f(a, b):\n    {}\n    return a + b\n"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        # a second copy
        (F.format("x = !a.item()!"), F.format("x = !a.item()!; y = !a.item()!"), ["f: a.item()"]),
        # a read of one variable fixed, one of another added
        (F.format("x = !a.item()!"), F.format("x = !b.item()!"), ["f: b.item()"]),
        # another method
        (F.format("x = !a.item()!"), F.format("x = !a.tolist()!"), ["f: a.tolist()"]),
        (F.format("x = !a.item(1)!"), F.format("x = !a.item(2)!"), ["f: a.item(2)"]),
        # fixed in one function and made in another
        (
            F.format("x = !a.item()!") + "def g(c):\n    print(c)\n    for i in c:\n        c = c * i\n    return c\n",
            F.format("x = a") + "def g(c):\n    print(!c.item()!)\n    for i in c:\n        c = c * i\n    return c\n",
            ["g: c.item()"],
        ),
        # a statement taken from one function to another of the file is moved
        (
            F.format("x = !a.item()!") + "def g(a):\n    return a\n",
            F.format("x = 1") + "def g(a):\n    x = !a.item()!\n    return a\n",
            [],
        ),
        # an expression taken out into a helper
        (
            "def f(g):\n    bad = !g.any().item()!\n    if bad:\n        return g\n    return g * 2\n",
            "def bad(t):\n    return !t.any().item()!\ndef f(g):\n    if bad(g):\n        return g\n    return g * 2\n",
            [],
        ),
        # a helper like what was mended, which the function does not call
        (
            "def f(g):\n    bad = !g.any().item()!\n    if bad:\n        return g\n    return g * 2\n",
            "def bad(t):\n    return !t.any().item()!\n"
            "def f(g):\n    if g.shape:\n        return g\n    return g * 2\n",
            ["bad: t.any().item()"],
        ),
        # a class, a method, an attribute and a local renamed at once
        (
            NET,
            NET.replace("Net", "Mixer").replace("def f", "def g").replace("limit", "top").replace("low", "z"),
            [],
        ),
        # another method with another attribute
        (
            NET,
            "class N:\n  def __init__(self):\n    self.top = 1\n"
            "  def g(self, s):\n    if !s.max() > self.top!:\n      return s - 1\n    print(s)\n",
            ["N.g: s.max() > self.top"],
        ),
        # a local renamed
        (F.format("x = a * 2; !x.item()!"), F.format("z = a * 2; !z.item()!"), []),
        # names in text are no names
        (F.format("print(!'a'!)"), F.format("print(!'b'!)"), ["f: 'b'"]),
        # the text of a message
        (F.format("print(!f'was {a}'!)"), F.format("print(!f'is now {a}'!)"), []),
        (F.format("print(!f'was {a}'!)"), F.format("print(!f'is now {b}'!)"), ["f: f'is now {b}'"]),
        # a message that is one word, but no key
        (F.format("!print('a', a)!"), F.format("!print('b', a)!"), []),
        (F.format("!print('a', a)!"), F.format("!print('b', b)!"), ["f: print('b', b)"]),
        (F.format("x = !t['a'].item()!"), F.format("x = !t['b'].item()!"), ["f: t['b'].item()"]),
        # several changes at once: a variable less, the others and the function renamed, a block around
        (
            "def f(a, b):\n    m = a * b\n    p = m.max()\n    v = !p.item()!\n    print(v)\n    return a / v\n",
            "def g(c, d):\n    n = c * d\n    with no_grad():\n        w = !n.max().item()!\n"
            "    print(w)\n    return c / w\n",
            [],
        ),
        # and the value is another one
        (
            "def f(a, b):\n    m = a * b\n    p = m.max()\n    v = !p.item()!\n    print(v)\n    return a / v\n",
            "def g(c, d):\n    n = c * d\n    with no_grad():\n        w = !n.min().item()!\n"
            "    print(w)\n    return c / w\n",
            ["g: n.min().item()"],
        ),
        # a condition with a name, another one of that name
        (F.format("c = a.any()\n    if !c!: pass"), F.format("c = b.any()\n    if !c!: pass"), []),
        (F.format("c = a.any()\n    if !c!: pass"), F.format("d = b.any()\n    if !d!: pass"), ["f: d"]),
        # a helper of the module, of a class, of another module
        (
            "def big(t):\n    return t.sum() > 1\ndef f(a):\n    if !big(a)!: return a\n    return -a\n",
            "class Of:\n  @staticmethod\n  def big(t):\n    return t.sum() > 1\n"
            "def f(a):\n    if !Of.big(a)!: return a\n    return -a\n",
            [],
        ),
        (
            "def big(t):\n    return t.sum() > 1\ndef f(a):\n    if !big(a)!: return a\n    return -a\n",
            "import tests\ndef f(x):\n    if !tests.big(x)!: return x\n    return -x\n",
            [],
        ),
        # not text but position
        (F.format("é = 'ü'; !a.item()!"), "\n\n" + F.format("é = 'ü'; q = 1; !a.item()!"), []),
        # of a function that does not parse, the text
        ("def f(:\n  !a.item()!\n", "\n\ndef f(:\n  !a.item()!\n", []),
    ],
)
def test_what_is_new(before: str, after: str, expected: list[str]) -> None:
    assert new({"m.py": before}, {"m.py": after}) == expected


def test_a_function_that_another_file_has_as_well_is_new_there() -> None:
    text = F.format("x = !a.item()!")
    assert new({"m.py": text}, {"m.py": text, "n.py": text}) == ["f: a.item()"]
    assert new({"m.py": text}, {"n.py": text}) == []
    assert new({"m.py": text}, {"n.py": text, "o.py": text}) in (["f: a.item()"], ["f: a.item()"])


def test_the_same_finding_has_the_same_identity_wherever_its_line_is() -> None:
    one, two = (fingerprints({"m.py": start + F.format("x = !a.item()!")})[0] for start in ("", "import os\n\n"))
    assert one.identity == two.identity
    assert one == two
