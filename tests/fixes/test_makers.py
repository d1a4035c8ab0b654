"""Counters, helpers left out of the graph, and the import that an edit needs."""

from __future__ import annotations

import ast

import pytest

from tests.fixes.apply import findings_of, first_fixes

COUNTER = """\
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 3  # calls
        {init}

    def forward(self, x):
        self.step += 1  # one more
        {use}
        return x.sin()
"""


def counted(use: str = "", init: str = "") -> str | None:
    text = COUNTER.format(use=use, init=init)
    found = findings_of(text, "CAP311")
    assert found
    return first_fixes(text, found) if found[0].fixes else None


def test_a_counter_becomes_a_buffer() -> None:
    fixed = counted("x = x * (1 - 0.9 ** self.step)")
    assert fixed is not None
    assert fixed.startswith("import torch\nfrom torch import nn\n")
    assert '        self.register_buffer("step", torch.tensor(3), persistent=False)  # calls\n' in fixed
    assert "        self.step.add_(1)  # one more\n" in fixed
    assert not findings_of(fixed, "CAP311")


@pytest.mark.parametrize(
    "use",
    [
        "if self.step > 10: x = x + 1",  # would be a branch on a tensor
        "x = x[: self.step]",
        "print(self.step)",
        "self.step = 0",
        "x = x + getattr(self, 'step')",
        "return x, self.step",
    ],
)
def test_not_where_the_number_is_needed(use: str) -> None:
    assert counted(use) is None


def test_not_where_the_beginning_is_no_plain_number() -> None:
    assert counted(init="self.step = len(self.__dict__)") is None


HELPER = """\
import torch
{decorators}def told(x):
    print(x)

def fn(x):
    y = x.sin()
    told(y)
    return y
"""


@pytest.mark.parametrize(
    ("decorators", "offered"), [("", True), ("@staticmethod\n", True), ("@torch.no_grad()\n", False)]
)
def test_a_helper_is_left_out_as_the_second_choice(decorators: str, offered: bool) -> None:
    text = HELPER.format(decorators=decorators)
    from analyzer.api import Options, analyze
    from tests.fixes.apply import PATH

    report = analyze(
        [PATH], Options(frontends=("dynamo",), extra_roots=(f"{PATH}::fn",), select=("CAP301",)), {PATH: text}
    )
    (finding,) = report.findings
    assert finding.fixes[0].title.startswith("do this only when not compiling")
    assert len(finding.fixes) == 1 + offered
    if offered:
        fixed = first_fixes(text, [finding], 1)
        assert f'{decorators}@torch.compiler.disable(reason="prints")\ndef told(x):' in fixed
        assert finding.fixes[1].safety == "unsafe"


def test_before_2_8_a_helper_is_left_out_without_a_reason() -> None:
    from analyzer.api import Options, analyze
    from tests.fixes.apply import PATH

    text = HELPER.format(decorators="")
    options = Options(frontends=("dynamo",), extra_roots=(f"{PATH}::fn",), select=("CAP301",), torch=(2, 7))
    (finding,) = analyze([PATH], options, {PATH: text}).findings
    assert "@torch.compiler.disable  # prints\ndef told(x):" in first_fixes(text, [finding], 1)


def test_a_root_is_never_left_out() -> None:
    (finding,) = findings_of("import torch\ndef fn(x):\n    print('a')\n    return x\n", "CAP301")
    assert [fix.title.split(":")[0] for fix in finding.fixes] == ["do this only when not compiling"]


FUNCTION = "def fn(x):\n    print('a')\n    return x  # torch\n"


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        ("", "import torch\n\n"),
        ('"""Docs."""\n', '"""Docs."""\n\nimport torch\n'),
        ("import os\n\n", "import os\nimport torch\n\n"),
        (
            "import os  # why\nfrom torch import (\n    nn,\n)\n",
            "import os  # why\nimport torch\nfrom torch import (\n    nn,\n)\n",
        ),
        ("from __future__ import annotations\n", "from __future__ import annotations\n\nimport torch\n"),
        ("import torch.nn as nn\n", "import torch.nn as nn\nimport torch\n"),
        ("import torch.nn\n", "import torch.nn\n"),
        (
            "try:\n    import torch\nexcept ImportError:\n    pass\n",
            "try:\n    import torch\nexcept ImportError:\n    pass\n",
        ),
        ("#!/usr/bin/python\n# licence\n\n@d\n", "#!/usr/bin/python\n# licence\n\nimport torch\n\n@d\n"),
        ("import os; import re\n", "import os; import re\nimport torch\n"),
        ("from .torch import nn\n", "from .torch import nn\nimport torch\n"),
    ],
)
def test_the_import_is_added_where_imports_are(head: str, wanted: str) -> None:
    text = head + FUNCTION
    fixed = first_fixes(text, findings_of(text, "CAP301"))
    ast.parse(fixed)
    assert fixed.startswith(f"{wanted}def fn(x):\n    if not torch.compiler.is_compiling():\n")


@pytest.mark.parametrize(
    "head", ["torch = None\n", "from mine import torch\n", "def torch(): ...\n", "import mine as torch\n"]
)
def test_none_where_the_name_is_taken(head: str) -> None:
    text = head + FUNCTION
    assert [f.fixes for f in findings_of(text, "CAP301")] == [()]
