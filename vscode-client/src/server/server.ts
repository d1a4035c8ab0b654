import { mkdir } from "node:fs/promises";
import {
  commands,
  EventEmitter,
  Uri,
  workspace,
  type Disposable,
  type ExtensionContext,
  type LogOutputChannel,
} from "vscode";
import {
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  TransportKind,
  type LanguageClientOptions,
} from "vscode-languageclient/node";

import { CAPTURE_VIEW, STATE, VIEW_CHANGED, type CaptureView, type ServerState, type ViewChanged } from "../protocol";
import { ask } from "../python/ask";
import type { PythonExtensions } from "../python/extensions";
import { resolve, type Interpreter, type Resolved } from "../python/resolve";
import { spelled } from "../python/version";
import type { Session } from "../session";
import { Coalesced } from "./coalesced";
import { serverCommand, type ImportStrategy } from "./command";
import { configuration, SECTION } from "./configuration";
import { sources } from "./sources";

/** The server's commands that links in hovers may run. */
const LINKED = ["capture-lsp.probe"];
const STOP_MS = 5_000;
const IDLE: ServerState = { state: "idle", message: "", torch: null };

/** Starts the server's process, and starts it again when what it depends on has changed. */
export class Server implements Session, Disposable {
  readonly onState;
  readonly onViewChanged;
  private readonly stateChanged = new EventEmitter<ServerState>();
  private readonly viewChanged = new EventEmitter<Uri>();
  private readonly unresolved = new EventEmitter<Resolved>();
  /** No interpreter could be found. */
  readonly onUnresolved = this.unresolved.event;
  private readonly starts = new Coalesced((forced) => this.reconcile(forced));
  private readonly asked = new Map<string, Uri>();
  private client: LanguageClient | null = null;
  /** What the running server was started with. */
  private started = "";
  private current = IDLE;
  private ended = false;
  private last: Resolved = { interpreter: null, rejected: [] };

  constructor(
    private readonly context: ExtensionContext,
    private readonly python: PythonExtensions,
    readonly log: LogOutputChannel,
  ) {
    this.onState = this.stateChanged.event;
    this.onViewChanged = this.viewChanged.event;
  }

  get state(): ServerState {
    return this.current;
  }

  /** The newest search for an interpreter. */
  get resolved(): Resolved {
    return this.last;
  }

  get running(): boolean {
    return this.client?.state === State.Running;
  }

  /** Starts the server if it does not run, and again if another command line would now. */
  refresh(): Promise<void> {
    return this.starts.ask(false);
  }

  /** Starts the server again. */
  restart(): Promise<void> {
    return this.starts.ask(true);
  }

  /** Has the server ask for its settings: the interpreter of a folder may be another. */
  async settingsChanged(): Promise<void> {
    if (this.running) await this.client?.sendNotification("workspace/didChangeConfiguration", { settings: null });
  }

  async captureView(uri: Uri): Promise<CaptureView | null> {
    this.asked.set(uri.toString(), uri);
    if (!this.running) return null;
    try {
      return (await this.execute(CAPTURE_VIEW, uri)) as CaptureView;
    } catch (error) {
      this.log.error(`no capture view of ${uri.toString()}: ${String(error)}`);
      return null;
    }
  }

  async execute(command: string, ...args: unknown[]): Promise<unknown> {
    const client = this.client;
    if (!client || !this.running) throw new Error("The capture-lsp server is not running.");
    const given = args.map((one) => (one instanceof Uri ? client.code2ProtocolConverter.asUri(one) : one));
    return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: given });
  }

  private async reconcile(forced: boolean): Promise<void> {
    if (this.ended) return;
    const settings = workspace.getConfiguration(SECTION);
    const strategy = settings.get<ImportStrategy>("importStrategy", "useBundled");
    const folder = this.context.globalStorageUri.fsPath;
    await mkdir(folder, { recursive: true });
    this.last = await resolve(sources(this.python), (command) => ask(command, folder));
    for (const reason of this.last.rejected) this.log.warn(`not used to run the server: ${reason}`);
    const { interpreter } = this.last;
    if (interpreter === null) {
      await this.stop();
      this.tell({ state: "error", message: "no Python 3.10 or later was found", torch: null });
      this.unresolved.fire(this.last);
      return;
    }
    const command = serverCommand(interpreter, strategy, this.context.asAbsolutePath("bundled/launch.py"));
    const wanted = JSON.stringify([command, workspace.isTrusted]);
    if (!forced && wanted === this.started && this.client?.state !== State.Stopped) return;
    await this.stop();
    if (strategy === "fromEnvironment" && !interpreter.hasServer) {
      this.log.warn(`capture-lsp is not installed in ${interpreter.command.join(" ")}: the bundled one is started`);
    }
    await this.start(command, interpreter, folder);
    this.started = wanted;
  }

  private async start(command: string[], interpreter: Interpreter, folder: string): Promise<void> {
    this.log.info(`Python ${spelled(interpreter.version)} from ${interpreter.origin}: ${command.join(" ")}`);
    const [program = "", ...args] = command;
    // The working directory is no folder of the user's: `python -m` would import from it.
    const run = { command: program, args, transport: TransportKind.stdio, options: { cwd: folder } };
    const client = new LanguageClient(SECTION, "capture-lsp", run, this.options());
    client.onNotification(STATE, (state: ServerState) => this.tell(state));
    client.onNotification(VIEW_CHANGED, ({ uri }: ViewChanged) =>
      this.viewChanged.fire(client.protocol2CodeConverter.asUri(uri)),
    );
    client.onDidChangeState(({ newState }) => {
      if (client !== this.client) return;
      void commands.executeCommand("setContext", "capture-lsp.running", newState === State.Running);
      if (newState === State.Running) {
        this.tell(IDLE);
        for (const uri of this.asked.values()) this.viewChanged.fire(uri);
      }
      if (newState === State.Stopped) this.tell({ state: "error", message: "the server has stopped", torch: null });
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(`the server did not start: ${String(error)}`);
      this.tell({ state: "error", message: "the server did not start", torch: null });
    }
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [
        { scheme: "file", language: "python" },
        { scheme: "untitled", language: "python" },
        { scheme: "vscode-notebook-cell", language: "python" },
      ],
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: { captureView: true, trusted: workspace.isTrusted, commandLinks: true },
      markdown: { isTrusted: { enabledCommands: LINKED } },
      middleware: { workspace: { configuration: configuration((scope) => this.projectPython(scope)) } },
    };
  }

  /** The interpreter that an extension chose for a folder; nothing is started in a workspace without trust. */
  private async projectPython(scope: Uri | undefined): Promise<string | undefined> {
    return workspace.isTrusted ? (await this.python.active(scope))?.path : undefined;
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = null;
    this.started = "";
    if (!client) return;
    void commands.executeCommand("setContext", "capture-lsp.running", false);
    try {
      await client.dispose(STOP_MS);
    } catch (error) {
      this.log.warn(`the server did not stop in order: ${String(error)}`);
    }
  }

  private tell(state: ServerState): void {
    this.current = state;
    this.stateChanged.fire(state);
  }

  /** Stops the server for good. */
  async end(): Promise<void> {
    this.ended = true;
    await this.stop();
  }

  dispose(): void {
    for (const one of [this.stateChanged, this.viewChanged, this.unresolved]) one.dispose();
  }
}
