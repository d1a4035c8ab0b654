import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { CancellationToken } from "vscode";

import { configuration } from "../../src/server/configuration";
import { settings } from "../vscode";

const FOLDER = "file:///project";

beforeEach(() => settings.clear());

async function asked(interpreter: string | undefined, ...scopes: (string | undefined)[]): Promise<unknown> {
  const answer = configuration((scope) => Promise.resolve(interpreter && `${interpreter} of ${String(scope)}`));
  const items = scopes.map((scopeUri) => ({ section: "capture-lsp", ...(scopeUri === undefined ? {} : { scopeUri }) }));
  return answer({ items }, {} as CancellationToken, () => []);
}

test("defaults are not told: they would come before the project's files", async () => {
  settings.set(FOLDER, {
    "capture-lsp.frontends": { defaultValue: ["dynamo"] },
    "capture-lsp.codeLens": { defaultValue: true, globalValue: false },
    "capture-lsp.probe.onSave": { defaultValue: false, workspaceFolderValue: true },
    "capture-lsp.importStrategy": { globalValue: "fromEnvironment" },
  });
  assert.deepEqual(await asked(undefined, FOLDER), [{ codeLens: false, "probe.onSave": true }]);
});

test("the editor's interpreter is that of each folder", async () => {
  assert.deepEqual(await asked("python", undefined, FOLDER), [
    { python: "python of undefined" },
    { python: `python of ${FOLDER}` },
  ]);
});

test("an interpreter that is set comes before the editor's", async () => {
  settings.set(FOLDER, { "capture-lsp.python": { defaultValue: null, workspaceValue: ".venv" } });
  assert.deepEqual(await asked("python", FOLDER), [{ python: ".venv" }]);
});

test("an empty one does not count as set", async () => {
  settings.set(FOLDER, { "capture-lsp.python": { globalValue: null } });
  assert.deepEqual(await asked("python", FOLDER), [{ python: `python of ${FOLDER}` }]);
});
