/** A notebook: its cells are checked as one module. */

import path from "node:path";
import { inWorkbench, type Scenario } from "../scenario.ts";
import { step } from "../steps.ts";
import { makeNotebook, makeWorkspace } from "../workspaces.ts";

const branch = "x.sum() > 0";

export const notebook: Scenario = {
  name: "notebook",
  async run(setting) {
    const workspace = makeWorkspace(path.join(setting.folder, "notebook"), [], setting.python);
    makeNotebook(path.join(workspace, "cells.ipynb"), [
      "import torch\n",
      "@torch.compile\ndef scale(x):\n    if x.sum() > 0:\n        return x * 2\n    return x\n",
      "scale(torch.randn(3))\n",
    ]);
    await inWorkbench(setting, workspace, { trust: true }, async (workbench) => {
      await step(11, "notebook", workbench, async () => {
        await workbench.openFile("cells.ipynb");
        await workbench.squiggle(branch);
        await workbench.hover(branch, branch, ["the `if` reads the contents of a tensor", "CAP101"]);
        return "a squiggle in a cell, and its hover";
      });
    });
  },
};
