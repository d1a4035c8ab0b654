import { Uri, workspace } from "vscode";
import type { ConfigurationMiddleware, ConfigurationParams } from "vscode-languageclient/node";

import { SERVER_SETTINGS } from "../generated/settings";

export const SECTION = "capture-lsp";

/**
 * Answers the server's questions for settings. Only what the user has set is told: a default would come before the
 * project's configuration files. Where no interpreter is set, `interpreter` names that of the folder.
 */
export function configuration(
  interpreter: (scope: Uri | undefined) => Promise<string | undefined>,
): NonNullable<ConfigurationMiddleware["configuration"]> {
  return async (params: ConfigurationParams): Promise<unknown[]> =>
    Promise.all(
      params.items.map(async (item) => {
        if (item.section !== SECTION) return null;
        const scope = item.scopeUri === undefined ? undefined : Uri.parse(item.scopeUri);
        const given = explicit(scope);
        const python = given.python ?? (await interpreter(scope));
        return python ? { ...given, python } : given;
      }),
    );
}

/** The server's settings that the user, the workspace or the folder sets. */
export function explicit(scope: Uri | undefined): Record<string, unknown> {
  const section = workspace.getConfiguration(SECTION, scope ?? null);
  const given: Record<string, unknown> = {};
  for (const key of SERVER_SETTINGS) {
    const found = section.inspect(key);
    if ([found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some((one) => one !== undefined)) {
      given[key] = section.get(key);
    }
  }
  return given;
}
