/** The whole way in one window: findings, a fix, a probe, what it shows, an edit; then the rest of the workbench. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Host } from "../host.ts";
import { until } from "../polling.ts";
import { inWorkbench, type Scenario } from "../scenario.ts";
import { step } from "../steps.ts";
import type { Workbench } from "../workbench.ts";
import { makeWorkspace } from "../workspaces.ts";

const scorer = "gated_scorer.py";
const router = "moe_router.py";
const branch = "confidence > 0.5";
const refuted = "temperature != 1.0";
const definition = "def forward(self, items";
const logged = "log.info(";

export const trusted: Scenario = {
  name: "trusted",
  async run(setting) {
    const workspace = makeWorkspace(path.join(setting.folder, "trusted"), [scorer, router], setting.python);
    await inWorkbench(setting, workspace, { trust: true }, async (workbench, host) => {
      await findings(workbench);
      await quickFix(workbench, path.join(workspace, router));
      await probe(workbench);
      await view(workbench);
      await themes(workbench);
      await measured(workbench);
      await edit(workbench);
      await around(workbench, host);
    });
  },
};

async function findings(workbench: Workbench): Promise<void> {
  await step(1, "squiggle", workbench, async () => {
    await workbench.openFile(scorer);
    await workbench.squiggle(branch);
    await workbench.squiggle(refuted);
    await workbench.hover(branch, branch, ["the `if` reads the contents of a tensor", "CAP101"]);
    return "two squiggles; the message is in the hover";
  });
  await step(2, "hover", workbench, async () => {
    const text = await workbench.hover(branch, branch, [
      "what it does here",
      /compile\s+breaks the graph/,
      /export\s+refuses/,
      "items is a tensor: parameter of forward",
    ]);
    return `${text.split("\n").length} lines with the table of frontends`;
  });
  await workbench.closeHover();
}

async function quickFix(workbench: Workbench, file: string): Promise<void> {
  await step(3, "quick fix", workbench, async (shot) => {
    await workbench.openFile(router);
    await workbench.reveal(logged);
    await workbench.squiggle(logged);
    await workbench.putCursor(logged);
    const item = workbench.page.locator(".action-widget .monaco-list-row").filter({ hasText: "only when not compiling" });
    await until("the fix in the menu", async () => {
      if ((await item.count()) > 0) return true;
      await workbench.page.keyboard.press("Escape");
      await workbench.page.keyboard.press("Control+.");
      await item.first().waitFor({ timeout: 10_000 });
      return true;
    });
    await shot("menu");
    await item.first().click();
    await workbench.place("if not torch.compiler.is_compiling() and log_aux:");
    await workbench.noSquiggle(logged);
    await workbench.save();
    assert.match(readFileSync(file, "utf8"), /if not torch\.compiler\.is_compiling\(\) and log_aux:\n\s+log\.info\(/);
    return "applied from the menu, the squiggle is gone, saved";
  });
}

async function probe(workbench: Workbench): Promise<void> {
  await step(4, "probe", workbench, async (shot) => {
    await workbench.openFile(scorer);
    await (await workbench.lens(/^Probe$/, definition)).click();
    await until("progress", async () => /Probing/.test(`${await workbench.notifications()}${await workbench.statusBar()}`), 60_000);
    await shot("progress");
    await workbench.lens(/\d+ graphs? · \d+ breaks? · \d+ guards?/, definition).catch(() => workbench.lens("Probe again", definition));
    await workbench.hover(branch, branch, ["(confirmed)"]);
    await workbench.hover(branch, branch, [/breaks the graph\s+confirmed/]);
    await workbench.closeHover();
    // What the probe refuted is gone.
    await workbench.noSquiggle(refuted);
    await workbench.clearNotifications();
    await until("lines of graphs have a bar", async () => (await workbench.bars()).includes("solid"));
    const coloured = await until("lines of graphs are coloured", () => workbench.colouredLines());
    return `confirmed in the message and the table; the other finding is refuted; ${coloured} coloured lines`;
  });
  await step(5, "function hover", workbench, async () => {
    await workbench.hover("forward", definition, ["probed", "guard on", /graph\s+lines\s+ops/]);
    return "graphs, guards and nodes after the probe";
  });
  await workbench.closeHover();
}

async function view(workbench: Workbench): Promise<void> {
  await step(6, "capture view", workbench, async () => {
    // The code and the view share the width.
    await workbench.command("View: Toggle Primary Side Bar Visibility");
    await (await workbench.lens(/^Graph$/, definition)).click();
    const frame = await workbench.webview("svg.drawing g.node");
    // Nodes of a line; groups open instead.
    const nodes = frame.locator("g.node[aria-label*=', line ']:not([aria-expanded])");
    const count = await until("nodes with places", async () => nodes.count());
    await workbench.putCursor("import json");
    const before = await workbench.cursorLine();
    const node = nodes.nth(Math.floor(count / 2));
    const said = (await node.getAttribute("aria-label")) ?? "";
    const line = Number(/line (\d+)/.exec(said)?.[1]);
    assert.notEqual(line, before);
    await node.click();
    await until(`the cursor in line ${line}`, async () => (await workbench.cursorLine()) === line);
    return `${count} nodes with places; a click on ${JSON.stringify(said)} moves the cursor from line ${before} to ${line}`;
  });
}

/** Name in the list of themes, class of the workbench, class of a webview's body. */
const colours: [string, string, string][] = [
  ["Light Modern", "vs", "vscode-light"],
  ["Dark High Contrast", "hc-black", "vscode-high-contrast"],
  ["Dark Modern", "vs-dark", "vscode-dark"],
];

async function themes(workbench: Workbench): Promise<void> {
  await step(12, "themes", workbench, async (shot) => {
    for (const [name, kind, body] of colours) {
      await workbench.chooseTheme(name);
      await workbench.page.locator(`.monaco-workbench.${kind}`).waitFor();
      await workbench.webview(`body.${body} svg.drawing`);
      await until(`bars in ${name}`, async () => (await workbench.bars()).includes("solid"));
      await workbench.closeHover();
      await workbench.page.waitForTimeout(500);
      await shot(name.replaceAll(" ", "-"));
    }
    return colours.map(([name]) => name).join(", ");
  });
}

async function measured(workbench: Workbench): Promise<void> {
  await step(14, "what it costs", workbench, async (shot) => {
    await workbench.openFile(scorer);
    await (await workbench.lens(/^Measure$/, definition)).click();
    const said = await until(
      "times in the lens",
      async () => /[\d.]+×[^|]*|no difference measured/.exec(await workbench.lenses())?.[0],
      400_000,
    );
    await workbench.hover("forward", definition, [/eager [\d.,]+ .*compiled [\d.,]+ /, /first call/]);
    await shot("hover");
    await workbench.closeHover();
    await (await workbench.lens(/^Times$/, definition)).click();
    const frame = await workbench.webview("#tab-times[aria-selected=true]");
    const text = await until("the times in the view", async () => {
      const content = await frame.locator("#content").innerText();
      return /rounds in \d+ process/.test(content) && content;
    });
    assert.match(text, /First call/);
    return `${said}; the hover and the view have the times`;
  });
}

async function edit(workbench: Workbench): Promise<void> {
  await step(7, "stale", workbench, async (shot) => {
    await workbench.openFile(scorer);
    await workbench.putCursor("scored = self.cheap(items)");
    await workbench.page.keyboard.press("End");
    await workbench.page.keyboard.type(" * 2");
    await workbench.hover(branch, branch, ["stale"]);
    await workbench.closeHover();
    await until("the lens says stale", async () => (await workbench.lenses()).includes("(stale)"));
    await until("all bars say that they are old", async () => {
      const bars = await workbench.bars();
      return bars.length > 0 && bars.every((style) => style === "dashed");
    });
    await until("no line is coloured as if it held", async () => (await workbench.colouredLines()) === 0);
    const frame = await workbench.webview(".banner");
    await until("the view says stale", async () => /changed since/.test(await frame.locator(".banner").first().innerText()));
    await shot("edited");
    await until("the edit undone", async () => {
      if ((await workbench.page.locator(".tabs-container .tab.active.dirty").count()) === 0) return true;
      await workbench.page.keyboard.press("Control+z");
      return false;
    });
    await workbench.hover(branch, branch, ["(confirmed)"]);
    await workbench.closeHover();
    await until("the bars are as before", async () => !(await workbench.bars()).includes("dashed"));
    await until("lines are coloured again", () => workbench.colouredLines());
    return "after an edit; undoing it makes the result hold again";
  });
}

async function around(workbench: Workbench, host: Host): Promise<void> {
  await step(10, "around the editor", workbench, async (shot) => {
    await workbench.setUserSettings({ ...host.settings, "capture-lsp.inlayHints": true });
    await workbench.openFile(scorer);
    await workbench.place("break →");
    await shot("inlay-hints");
    await workbench.command("Problems: Focus on Problems View");
    const row = workbench.page
      .locator(".markers-panel .monaco-list-row")
      .filter({ hasText: "whole forward runs eagerly" });
    await row.first().waitFor();
    await shot("problems");
    await workbench.command("capture-lsp: Restart Server");
    await workbench.openFile(scorer);
    await until("the restarted server knows of no probe", async () => /predicted/.test(await workbench.lenses()));
    await workbench.squiggle(branch);
    await workbench.page.locator("#status\\.languageStatus").first().click();
    await until("the status item", async () => /capture-lsp|torch 2/.test(await workbench.page.locator(".language-status-element, .hover-language-status").allInnerTexts().then((texts) => texts.join("\n"))));
    return "inlay hints, problems panel, restart, status item";
  });
}
