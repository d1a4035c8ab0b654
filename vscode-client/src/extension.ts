import { window, workspace, type ExtensionContext } from "vscode";

import { registerCommands } from "./commands";
import { registerIslands } from "./islands";
import { registerKernels } from "./kernels";
import { PythonExtensions } from "./python/extensions";
import { selectInterpreter, tellUnresolved } from "./python/picker";
import { SECTION } from "./server/configuration";
import { Server } from "./server/server";
import { registerStatus } from "./server/status";
import type { Session } from "./session";
import { registerView } from "./view";

/** The settings that decide how the server is started. */
const STARTING = ["interpreter", "importStrategy"];

let running: Server | undefined;

/** Returns at once: the server starts in the background. */
export function activate(context: ExtensionContext): Session {
  const began = performance.now();
  const log = window.createOutputChannel("capture-lsp", { log: true });
  const python = new PythonExtensions(log);
  const server = new Server(context, python, log);
  running = server;
  const start = (): void => void server.refresh().catch((error: unknown) => log.error(String(error)));
  const tell = (): void => void server.settingsChanged().catch((error: unknown) => log.error(String(error)));
  context.subscriptions.push(
    log,
    python,
    server,
    server.onUnresolved((resolved) => void tellUnresolved(resolved)),
    registerCommands(server, () => selectInterpreter(python)),
    registerStatus(server),
    registerView(context, server),
    registerIslands(context, server),
    registerKernels(context, server),
    workspace.onDidChangeConfiguration((event) => {
      if (STARTING.some((key) => event.affectsConfiguration(`${SECTION}.${key}`))) start();
      else if (event.affectsConfiguration(SECTION)) tell();
    }),
    workspace.onDidGrantWorkspaceTrust(start),
    python.onDidChange(() => {
      start();
      tell();
    }),
  );
  log.info(`activated in ${Math.round(performance.now() - began)} ms`);
  start();
  return server;
}

export async function deactivate(): Promise<void> {
  await running?.end();
}
