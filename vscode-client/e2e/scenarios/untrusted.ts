/** A workspace that the user does not trust: what is static works, and nothing of the workspace is started. */

import assert from "node:assert/strict";
import path from "node:path";
import { descendants } from "../descendants.ts";
import { holds, until } from "../polling.ts";
import { inWorkbench, type Scenario } from "../scenario.ts";
import { step } from "../steps.ts";
import { makeWorkspace, Sentinel } from "../workspaces.ts";

const branch = "confidence > 0.5";
const definition = "def forward(self, items";

export const untrusted: Scenario = {
  name: "untrusted",
  async run(setting) {
    const folder = path.join(setting.folder, "untrusted");
    const environment = path.join(folder, ".venv");
    const sentinel = new Sentinel(environment, path.join(setting.folder, "sentinel"), setting.python);
    // Both ways to name an interpreter lead to it: the setting, and the folder that is looked for.
    const workspace = makeWorkspace(folder, ["gated_scorer.py"], sentinel.python);
    await inWorkbench(setting, workspace, { trust: false }, async (workbench, host) => {
      await step(8, "untrusted", workbench, async (shot) => {
        const dialog = workbench.page.locator(".monaco-dialog-box");
        await dialog.getByText("No, I don't trust the authors").click();
        await dialog.waitFor({ state: "detached" });
        await workbench.openFile("gated_scorer.py");
        await workbench.squiggle(branch);
        await until("the lens", async () => /predicted/.test(await workbench.lenses()));
        await workbench.hover("forward", definition, ["This workspace is not trusted."]);
        await shot("hover");
        await workbench.closeHover();
        await holds("no lens probes", async () => !/Probe|Compare/.test(await workbench.lenses()), 3000);
        const offered = await workbench.commandsLike("capture-lsp: ");
        assert.ok(offered.some((title) => title.includes("Restart Server")), "the palette has commands");
        assert.deepEqual(offered.filter((title) => /: (Probe|Compare)/.test(title)), [], "no command probes");
        const inside = descendants(host.pid).filter((process) => process.command.includes(folder + path.sep));
        assert.deepEqual(inside, [], "no process of the workspace");
        assert.deepEqual(sentinel.starts(), [], "the workspace's interpreter was not started");
        return "squiggles, no lens or command that probes, the interpreter was not started";
      });
      await step(8, "trusted after all", workbench, async () => {
        await workbench.command("Workspaces: Manage Workspace Trust");
        await workbench.page.locator(".workspace-trust-editor .workspace-trust-buttons-row a.monaco-button").first().click();
        await workbench.openFile("gated_scorer.py");
        await (await workbench.lens(/^Probe$/, definition)).click();
        // So the sentinel would have told.
        await until("the interpreter is started", () => sentinel.starts().length > 0);
        return "granting trust offers probes, which start the interpreter";
      });
    });
  },
};
