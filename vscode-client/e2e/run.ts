/**
 * The end-to-end tests: the packaged extension in a real workbench, driven by keyboard and mouse.
 *
 * node run.ts --chromium PROGRAM --code-server SCRIPT --python INTERPRETER --vsix FILE [SCENARIO…]
 */

import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { installExtension, type Programs } from "./host.ts";
import { stopAll } from "./processes.ts";
import { freshFolder, type Scenario } from "./scenario.ts";
import { clearArtifacts, summary } from "./steps.ts";
import { startBrowser } from "./workbench.ts";
import { notebook } from "./scenarios/notebook.ts";
import { trusted } from "./scenarios/trusted.ts";
import { untrusted } from "./scenarios/untrusted.ts";
import { withoutTorch } from "./scenarios/withoutTorch.ts";

const scenarios: Scenario[] = [trusted, untrusted, withoutTorch, notebook];
const limit = 25 * 60_000;

const { values, positionals } = parseArgs({
  options: {
    chromium: { type: "string" },
    "code-server": { type: "string" },
    python: { type: "string" },
    vsix: { type: "string" },
  },
  allowPositionals: true,
});

function required(name: keyof typeof values): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing`);
  return value;
}

const programs: Programs = { node: process.execPath, codeServer: required("code-server"), chromium: required("chromium") };
const folder = freshFolder();
let browser: Browser | undefined;

async function clean(): Promise<void> {
  await browser?.close().catch(() => undefined);
  await stopAll();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

let ending = false;
function abort(why: string): void {
  if (ending) return;
  ending = true;
  console.error(`e2e: ${why}`);
  void clean().finally(() => process.exit(1));
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => abort(`ended by ${signal}`));
setTimeout(() => abort(`not done in ${limit / 60_000} minutes`), limit).unref();

async function main(): Promise<boolean> {
  clearArtifacts();
  const extensions = await installExtension(programs, required("vsix"), folder);
  browser = await startBrowser(programs.chromium);
  for (const scenario of scenarios) {
    if (positionals.length > 0 && !positionals.includes(scenario.name)) continue;
    await scenario.run({ programs, browser, extensions, python: required("python"), folder });
  }
  const { text, passed } = summary();
  console.log(text);
  return passed;
}

const start = Date.now();
let passed = false;
try {
  passed = await main();
} catch (error) {
  if (!ending) console.error(error);
}
if (!ending) {
  ending = true;
  await clean();
  console.log(`e2e: ${((Date.now() - start) / 1000).toFixed(0)} s`);
  process.exit(passed ? 0 : 1);
}
