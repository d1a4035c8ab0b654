"""The HTML around the data."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from capture_lsp import pages
from capture_lsp.errors import UserError

ROOT = Path(__file__).parents[2]
built = pytest.mark.skipif(not (pages.ASSETS / "simulator.js").exists(), reason="the pages are not built")
HOSTILE = {"text": "</script><script>alert(1)</script><!-- \u2028 \u2029 \ud800 \u00e9", "ends": ["</SCRIPT >"]}


def data_in(text: str) -> object:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert found is not None
    return json.loads(found[1])


@built
@pytest.mark.parametrize("inline", [True, False])
def test_data_is_in_the_page_and_ends_nothing(inline: bool) -> None:
    text = pages.page("simulator", HOSTILE, inline=inline)
    assert data_in(text) == HOSTILE
    raw = text[text.index('id="data">') :].partition("</script>")[0]
    assert not set("\u2028\u2029\ud800") & set(raw)
    assert "<" not in raw
    text.encode("utf-8")


@built
def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError):
        pages.page("simulator", {"value": float("nan")}, inline=True)


@built
def test_a_served_page_names_its_files() -> None:
    text = pages.page("simulator", {}, inline=False, title="<a & b>", prefix="assets/", query='?token=a"b')
    assert "<title>&lt;a &amp; b&gt;</title>" in text
    assert re.findall(r'(?:src|href)="([^"]*)"', text) == [
        "data:,",
        "assets/simulator.css?token=a&quot;b",
        "assets/simulator.js?token=a&quot;b",
    ]
    assert "<style" not in text
    assert "Content-Security-Policy" not in text


@built
def test_a_page_of_its_own_allows_its_script_and_style_alone() -> None:
    text = pages.page("simulator", {}, inline=True)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    allowed = dict(re.findall(r"(script|style)-src (\S*?);", html.unescape(policy[1])))
    for kind in ("script", "style"):
        [inside] = re.findall(f"<{kind}>(.*?)</{kind}>", text, re.S)
        assert allowed[kind] == f"'sha256-{base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()}'"
    assert "connect-src 'none'" in html.unescape(policy[1])


@built
@pytest.mark.parametrize("name", sorted(path.name for path in pages.ASSETS.glob("*.??*")) or ["simulator.js"])
def test_what_is_built_asks_for_nothing_and_ends_no_element(name: str) -> None:
    text = pages.asset(name)
    assert not re.search(r"</(script|style)|<!--", text, re.I)
    assert not re.search(r"\b(eval|Function)\(|\.innerHTML|document\.write|@import|url\(\"?https?:", text)
    assert set(re.findall(r"https?://[\w./]+", text)) <= {"http://www.w3.org/2000/svg"}


def test_a_checkout_without_built_pages_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pages, "ASSETS", tmp_path)
    with pytest.raises(UserError, match="run `make pages`"):
        pages.page("simulator", {}, inline=True)


# the step of the installation


def step(tmp_path: Path, **environment: str) -> str:
    """What it says in a checkout that has nothing but sources."""
    for name in (
        "setup.py",
        "pages/src/simulator/main.ts",
        "pages/package-lock.json",
        "pages/esbuild.mjs",
        "pages/bundling.mjs",
        "vscode-client/src/view/decode.ts",
    ):
        if not (tmp_path / name).exists():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    pytest.importorskip("setuptools")
    done = subprocess.run(
        [sys.executable, "-c", "import setup; setup.build_pages()"],
        cwd=tmp_path,
        env={"PATH": "", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


def test_without_npm_an_installation_goes_on(tmp_path: Path) -> None:
    assert "warning: pages are not built: there is no npm; install Node 20" in step(tmp_path)


def test_the_step_can_be_left_out(tmp_path: Path) -> None:
    assert step(tmp_path, CAPTURE_LSP_NO_PAGES="1").strip() == (
        "capture-lsp: pages are not built: CAPTURE_LSP_NO_PAGES is set"
    )


def test_what_is_built_already_is_left_alone(tmp_path: Path) -> None:
    step(tmp_path)
    assets = tmp_path / "capture_lsp/pages/assets"
    assets.mkdir(parents=True)
    for name in ("simulator.js", "simulator.css"):
        (assets / name).write_text("")
    assert step(tmp_path) == ""
