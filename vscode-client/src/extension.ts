import { EventEmitter, window, type ExtensionContext, type Uri } from "vscode";

import { registerIslands } from "./islands";
import { registerKernels } from "./kernels";
import type { ServerState } from "./protocol";
import type { Session } from "./session";
import { registerView } from "./view";

export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel("capture-lsp", { log: true });
  const session: Session = {
    log,
    state: { state: "idle", message: "", torch: null },
    onState: new EventEmitter<ServerState>().event,
    onViewChanged: new EventEmitter<Uri>().event,
    captureView: () => Promise.resolve(null),
    execute: () => Promise.reject(new Error("the server is not running")),
  };
  context.subscriptions.push(
    log,
    registerView(context, session),
    registerIslands(context, session),
    registerKernels(context, session),
  );
}
