"""The settings in the VS Code extension's `package.json` are those that the server knows."""

from __future__ import annotations

import json
from typing import Any

from capture_lsp import extension_settings
from capture_lsp.extension_settings import EXTENSION_SETTINGS, MANIFEST
from capture_lsp.server.client_settings import SECTION, read


def _properties(title: str) -> dict[str, Any]:
    with open(MANIFEST, encoding="utf-8") as stream:
        sections = json.load(stream)["contributes"]["configuration"]
    return next(section["properties"] for section in sections if section["title"] == title)


def test_they_are_generated() -> None:
    assert extension_settings.stale() == [], "run `make docs`"


def test_the_server_takes_every_default(tmp_path: Any) -> None:
    """By the very names that the editor sends, and with the values that it shows."""
    shown = {**_properties("Editor"), **_properties("Analysis")}
    section = {name.removeprefix(f"{SECTION}."): schema["default"] for name, schema in shown.items()}
    settings, problems = read(section, str(tmp_path))
    assert problems == []
    assert settings.own == {
        "enable": True,
        "show-syntax-errors": True,
        "code-lens": True,
        "inlay-hints": False,
        "probe.on-save": False,
        "probe.gpu": "",
        "probe.budget": 120.0,
    }
    assert settings.overrides["frontends"] == ("dynamo",)


def test_what_the_server_refuses_the_schema_forbids(tmp_path: Any) -> None:
    analysis = _properties("Analysis")
    wrong = {
        "roots": "some",
        "targetTorch": "new",
        "maxFileSize": 0,
        "select": [1],
        "frontends": ["tvm"],
        "severity": {"CAP1": "bad"},
    }
    for name, value in wrong.items():
        assert read({name: value}, str(tmp_path))[1] != [], name
    assert "some" not in analysis["capture-lsp.roots"]["enum"]
    assert analysis["capture-lsp.targetTorch"]["pattern"].startswith(r"^\d")
    assert analysis["capture-lsp.maxFileSize"]["minimum"] == 1
    assert analysis["capture-lsp.select"]["items"]["type"] == "string"
    assert "tvm" not in analysis["capture-lsp.frontends"]["items"]["enum"]
    assert "bad" not in analysis["capture-lsp.severity"]["additionalProperties"]["enum"]


def test_the_extension_s_own_are_not_told_to_the_server(tmp_path: Any) -> None:
    with open(EXTENSION_SETTINGS, encoding="utf-8") as stream:
        names = list(json.load(stream))
    assert {f"{SECTION}.{name}" for name in names} == set(_properties("Extension"))
    for name in names:
        assert read({name: None, name.partition(".")[0]: True}, str(tmp_path))[1], name
