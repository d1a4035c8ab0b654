"""How long the simulator's page is busy with a large program: 503 nodes and 500 guards, recorded in a file.

Milliseconds of wall time in a headless Chromium without a GPU, each the middle of several: from a click until the page
is drawn again, and the longest task that blocked it meanwhile.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.needs import chromium
from tests.browser.test_export import DEEP

TIMES = 5
SELECTORS = {
    "frontend trace": 'label[data-frontend="trace"] input',
    "frontend torch.compile": 'label[data-frontend="dynamo"] input',
    "tab Code": '[data-tab="code"]',
    "tab Guards": '[data-tab="guards"]',
    "tab Calls": '[data-tab="calls"]',
    "tab Graph": '[data-tab="graph"]',
}

_OBSERVE = """window.tasks = [];
new PerformanceObserver((list) => { for (const one of list.getEntries()) window.tasks.push(one.duration); })
    .observe({ type: "longtask", buffered: true });"""
#: Until the frame behind the click is drawn; a graph that is laid out later is waited for.
_CLICK = """async (selector) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    window.tasks.length = 0;
    const start = performance.now();
    document.querySelector(selector).click();
    await frame();
    const drawn = performance.now() - start;
    await new Promise((done) => requestIdleCallback(() => setTimeout(done, 400)));
    return [drawn, Math.max(0, ...window.tasks)];
}"""


def measured(page: Page, file: Path) -> None:
    """Print a line for each thing that can be done."""
    loads, longest = [], []
    for _ in range(TIMES):
        page.goto(file.as_uri())
        page.locator('[data-part="graph"] .node').first.wait_for()
        page.wait_for_timeout(400)
        loads.append(page.evaluate("() => performance.getEntriesByType('navigation')[0].domComplete"))
        longest.append(page.evaluate("() => Math.max(0, ...window.tasks)"))
    print(f"{'open':24} {statistics.median(loads):6.0f} ms, longest task {statistics.median(longest):6.0f} ms")
    times: dict[str, list[list[float]]] = {name: [] for name in SELECTORS}
    for _ in range(TIMES):
        for name, selector in SELECTORS.items():
            times[name].append(page.evaluate(_CLICK, selector))
    for name, seen in times.items():
        drawn, task = (statistics.median(one) for one in zip(*seen))
        print(f"{name:24} {drawn:6.0f} ms, longest task {task:6.0f} ms")


def main() -> None:
    """Record the program and measure its page."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        program, file = Path(folder, "deep.py"), Path(folder, "deep.html")
        program.write_text(DEEP, encoding="utf-8")
        command = [sys.executable, "-m", "capture_lsp", "simulate", f"{program}::Deep", "--export", str(file)]
        subprocess.run([*command, "--limit", "7", "--quiet", "--python", sys.executable], check=True)
        print(f"{'size':24} {file.stat().st_size / 1e6:6.1f} MB")
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.add_init_script(_OBSERVE)
        measured(page, file)
        browser.close()


if __name__ == "__main__":
    main()
