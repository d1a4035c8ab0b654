import { workspace } from "vscode";

import type { PythonExtensions } from "../python/extensions";
import { pythonsOnPath } from "../python/path";
import type { Source } from "../python/resolve";
import { SECTION } from "./configuration";

/** Where an interpreter that runs the server is looked for, in this order. */
export function sources(python: PythonExtensions): Source[] {
  const setting = workspace.getConfiguration(SECTION).get<string[]>("interpreter", []);
  const found: Source[] = [];
  if (setting.length > 0) {
    found.push({
      origin: "the setting capture-lsp.interpreter",
      verbatim: true,
      commands: () => Promise.resolve([setting]),
    });
  }
  if (workspace.isTrusted) {
    found.push({
      origin: "the Python chosen in the editor",
      verbatim: false,
      commands: async () => {
        const active = await python.active(workspace.workspaceFolders?.[0]?.uri);
        return active ? [[active.path]] : [];
      },
    });
  }
  found.push({ origin: "PATH", verbatim: false, commands: () => Promise.resolve(pythonsOnPath()) });
  return found;
}
