/** What a scenario is given. */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { Host, type Programs, type Settings } from "./host.ts";
import { Workbench } from "./workbench.ts";

export interface Setting {
  programs: Programs;
  browser: Browser;
  /** The folder of extensions that holds ours. */
  extensions: string;
  /** An interpreter with torch. */
  python: string;
  /** A folder for the scenarios' files; it is removed at the end. */
  folder: string;
}

export interface Scenario {
  name: string;
  run(setting: Setting): Promise<void>;
}

/** A code-server of its own with this workspace open; both are ended afterwards. */
export async function inWorkbench(
  setting: Setting,
  workspace: string,
  options: { trust: boolean; settings?: Settings },
  body: (workbench: Workbench, host: Host) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(setting.folder, "host-"));
  const host = await Host.start(setting.programs, setting.extensions, folder, options);
  try {
    const workbench = await Workbench.open(setting.browser, host.url, workspace);
    try {
      await body(workbench, host);
    } finally {
      await workbench.close();
    }
  } finally {
    await host.stop();
  }
}

export function freshFolder(): string {
  return mkdtempSync(path.join(tmpdir(), "capture-lsp-e2e-"));
}
