import type { Event, LogOutputChannel, Uri } from "vscode";

import type { CaptureView, ServerState } from "./protocol";

/** The running server, as the parts of the extension see it; it outlives restarts of the server's process. */
export interface Session {
  readonly log: LogOutputChannel;
  /** The last state told, also while the server is down. */
  readonly state: ServerState;
  readonly onState: Event<ServerState>;
  /** The view of this file has changed; after a restart of the server it is told for every file of which a view was asked. */
  readonly onViewChanged: Event<Uri>;
  /** What probes found in a file; null while there is no server. */
  captureView(uri: Uri): Promise<CaptureView | null>;
  /** Runs a command of the server (`capture-lsp.probe`, …); rejects while there is no server. */
  execute(command: string, ...args: unknown[]): Promise<unknown>;
}
