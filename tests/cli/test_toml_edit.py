"""Codes added to configuration files: what it says, and what of its layout stays."""

from __future__ import annotations

import sys

import pytest

from capture_lsp.config.toml_edit import inserted, with_code

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TOOL = ("tool", "capture-lsp")
FILE = ("per-file-ignores", "/a b.py")
ALL = ("ignore",)

CASES = [
    ("", (), ALL, 'ignore = ["CAP101"]\n'),
    ("", (), FILE, '[per-file-ignores]\n"/a b.py" = ["CAP101"]\n'),
    ('ignore = ["CAP2"]  # why\n', (), ALL, 'ignore = ["CAP2", "CAP101"]  # why\n'),
    ("ignore = []", (), ALL, 'ignore = ["CAP101"]'),
    (
        "ignore = [\n  'CAP2',  # two\n  # end\n]\n",
        (),
        ALL,
        "ignore = [\n  'CAP2',  # two\n  \"CAP101\",\n  # end\n]\n",
    ),
    (
        'ignore = [\n\t"CAP2" # two\n]\n',
        (),
        ALL,
        'ignore = [\n\t"CAP2", # two\n\t"CAP101"\n]\n',
    ),
    (
        "# mine\n[severity]\nCAP101 = 'hint'\n",
        (),
        ALL,
        "ignore = [\"CAP101\"]\n# mine\n[severity]\nCAP101 = 'hint'\n",
    ),
    (
        "roots = 'all'\n\n[severity]\nCAP2 = 'hint'\n",
        (),
        FILE,
        "roots = 'all'\n\n[per-file-ignores]\n\"/a b.py\" = [\"CAP101\"]\n\n[severity]\nCAP2 = 'hint'\n",
    ),
    (
        '[per-file-ignores]\n"x" = ["CAP2"] # x\n\n[severity]\n',
        (),
        FILE,
        '[per-file-ignores]\n"x" = ["CAP2"] # x\n"/a b.py" = ["CAP101"]\n\n[severity]\n',
    ),
    (
        "per-file-ignores = {x = ['CAP2'] }\n",
        (),
        FILE,
        'per-file-ignores = {x = [\'CAP2\'], "/a b.py" = ["CAP101"] }\n',
    ),
    (
        "[tool.capture-lsp]\nper-file-ignores.'x' = []\nroots = 'all'\n",
        TOOL,
        FILE,
        "[tool.capture-lsp]\nper-file-ignores.'x' = []\nper-file-ignores.\"/a b.py\" = [\"CAP101\"]\nroots = 'all'\n",
    ),
    (
        "[project]\nname = 'x'  # [tool.capture-lsp]\ntext = '''\n[tool.capture-lsp]\nignore = []\n'''\n\n",
        TOOL,
        ALL,
        "[project]\nname = 'x'  # [tool.capture-lsp]\ntext = '''\n[tool.capture-lsp]\nignore = []\n'''\n\n"
        '[tool.capture-lsp]\nignore = ["CAP101"]\n\n',
    ),
    (
        "[tool.capture-lsp.severity]\nCAP2 = 'hint'",
        TOOL,
        ALL,
        "[tool.capture-lsp.severity]\nCAP2 = 'hint'\n\n[tool.capture-lsp]\nignore = [\"CAP101\"]\n",
    ),
    (
        "[tool]\ncapture-lsp = { ignore = ['CAP2'] }\n",
        TOOL,
        ALL,
        "[tool]\ncapture-lsp = { ignore = ['CAP2', \"CAP101\"] }\n",
    ),
    ("tool.capture-lsp.ignore = ['CAP2']\n", TOOL, ALL, "tool.capture-lsp.ignore = ['CAP2', \"CAP101\"]\n"),
    (
        "[[tool.x]]\nignore = []\n[[tool.x]]\n",
        TOOL,
        ALL,
        '[[tool.x]]\nignore = []\n[[tool.x]]\n\n[tool.capture-lsp]\nignore = ["CAP101"]\n',
    ),
]


@pytest.mark.parametrize("text, table, key, wanted", CASES)
def test_added(text: str, table: tuple[str, ...], key: tuple[str, ...], wanted: str) -> None:
    insertions = with_code(text, table, key, "CAP101")
    assert insertions is not None
    assert inserted(text, insertions) == wanted
    value = tomllib.loads(wanted)
    for part in (*table, *key):
        value = value[part]
    assert "CAP101" in value
    assert with_code(wanted, table, key, "CAP101") is None


@pytest.mark.parametrize("text", ["ignore = [", "ignore = 'CAP2'", "[per-file-ignores]\n'/a b.py' = 1\n"])
def test_what_is_wrong_is_left_alone(text: str) -> None:
    assert with_code(text, (), FILE if "per" in text else ALL, "CAP101") is None
