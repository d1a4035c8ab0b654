/** A workspace whose interpreter has no torch: it is checked all the same, and a probe says what to do. */

import path from "node:path";
import { until } from "../polling.ts";
import { inWorkbench, type Scenario } from "../scenario.ts";
import { step } from "../steps.ts";
import { makeBareEnvironment, makeWorkspace } from "../workspaces.ts";

const branch = "confidence > 0.5";

export const withoutTorch: Scenario = {
  name: "without torch",
  async run(setting) {
    const python = await makeBareEnvironment(
      path.join(setting.folder, "bare"),
      setting.python,
      path.join(setting.folder, "bare.log"),
    );
    const workspace = makeWorkspace(path.join(setting.folder, "without-torch"), ["gated_scorer.py"], python);
    await inWorkbench(setting, workspace, { trust: true }, async (workbench) => {
      await step(9, "without torch", workbench, async () => {
        await workbench.openFile("gated_scorer.py");
        await workbench.squiggle(branch);
        await (await workbench.lens(/^Probe$/, "def forward(self, items")).click();
        await until("what to do", async () => /no torch in .*install it/.test(await workbench.notifications()));
        return "squiggles; Probe says that torch has to be installed, or another interpreter named";
      });
    });
  },
};
