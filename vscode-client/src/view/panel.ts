import { randomBytes } from "node:crypto";
import {
  commands,
  Disposable,
  type ExtensionContext,
  type TextEditor,
  Uri,
  type ViewColumn,
  type WebviewPanel,
  window,
} from "vscode";

import type { CaptureView } from "../protocol";
import type { Session } from "../session";
import { pageHtml } from "./html";
import { type ToHost, toHost, type ToPage, type Wanted } from "./messages";
import { entryAround, type Line } from "./model/lines";
import { urisOf } from "./model/places";
import { reveal } from "./reveal";

export const VIEW_TYPE = "capture-lsp.view";
const OPEN_KERNEL = "capture-lsp.openKernel";
const PROBE = "capture-lsp.probe";
const COMPARE = "capture-lsp.compareFrontends";
const MEASURE = "capture-lsp.measure";

/** Times in milliseconds for which further news are awaited before the page is told. */
const CURSOR_RESTS = 120;
const VIEW_RESTS = 100;

/** The folder of the page's script and style; nothing else can be loaded. */
export function pageFolder(context: ExtensionContext): Uri {
  return Uri.joinPath(context.extensionUri, "dist", "view");
}

/** What is to be shown, once the page can. `from`: where the cursor stood, to choose a function by. */
export interface Wish {
  readonly entry: string | null;
  readonly part: Wanted | null;
  readonly from: Line | null;
}

/** The capture view of one file at a time, and its page. */
export class ViewPanel extends Disposable {
  private view: CaptureView | null = null;
  private ready = false;
  private wish: Wish | null = null;
  private cursor: Line | null = null;
  private request = 0;
  private cursorTimer: NodeJS.Timeout | undefined;
  private viewTimer: NodeJS.Timeout | undefined;
  private readonly subscriptions: Disposable;

  constructor(
    private readonly panel: WebviewPanel,
    context: ExtensionContext,
    private readonly session: Session,
    private uri: Uri,
  ) {
    super(() => this.end());
    this.subscriptions = Disposable.from(
      panel.webview.onDidReceiveMessage((message: unknown) => this.take(toHost(message))),
      panel.onDidChangeViewState(() => {
        // A page that was hidden is gone; the next one says that it is ready.
        if (!panel.visible) this.ready = false;
      }),
      session.onViewChanged((changed) => {
        if (changed.toString() === this.uri.toString()) this.refreshSoon();
      }),
      session.onState(() => this.tellState()),
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.cursorIn(textEditor)),
      window.onDidChangeActiveTextEditor((editor) => this.cursorIn(editor)),
    );
    this.cursorIn(window.activeTextEditor);
    this.title();
    panel.webview.options = { enableScripts: true, localResourceRoots: [pageFolder(context)] };
    panel.webview.html = pageHtml({
      script: panel.webview.asWebviewUri(Uri.joinPath(pageFolder(context), "view.js")).toString(),
      style: panel.webview.asWebviewUri(Uri.joinPath(pageFolder(context), "style.css")).toString(),
      source: panel.webview.cspSource,
      nonce: randomBytes(24).toString("base64url"),
    });
  }

  show(uri: Uri, wish: Wish, beside: ViewColumn): void {
    const other = uri.toString() !== this.uri.toString();
    this.uri = uri;
    this.wish = wish;
    if (other) this.view = null;
    this.title();
    this.panel.reveal(this.panel.viewColumn ?? beside, true);
    if (this.ready) void this.refresh();
  }

  private end(): void {
    clearTimeout(this.cursorTimer);
    clearTimeout(this.viewTimer);
    this.request++;
    this.subscriptions.dispose();
  }

  private title(): void {
    this.panel.title = `Capture: ${this.uri.path.slice(this.uri.path.lastIndexOf("/") + 1)}`;
  }

  private tell(message: ToPage): void {
    if (this.ready) void this.panel.webview.postMessage(message);
  }

  private refreshSoon(): void {
    clearTimeout(this.viewTimer);
    this.viewTimer = setTimeout(() => void this.refresh(), VIEW_RESTS);
  }

  /** Asks for the view and hands it to the page; an answer that a later question overtook is dropped. */
  private async refresh(): Promise<void> {
    const request = ++this.request;
    const uri = this.uri;
    let view: CaptureView | null = null;
    try {
      view = await this.session.captureView(uri);
    } catch (error) {
      this.session.log.error(`capture view of ${uri.toString()}: ${String(error)}`);
    }
    if (request !== this.request) return;
    this.view = view;
    this.tell({ type: "view", uri: uri.toString(), view });
    this.grant();
    this.tellCursor();
  }

  private grant(): void {
    const { wish, view } = this;
    if (wish === null || view === null || !this.ready) return;
    this.wish = null;
    const around = wish.from === null ? null : (entryAround(view, wish.from)?.name ?? null);
    this.tell({ type: "show", entry: wish.entry ?? around, part: wish.part });
  }

  private tellState(): void {
    const { state, message } = this.session.state;
    this.tell({ type: "server", probing: state === "probing", message });
  }

  /** While the page has the keyboard no editor is active, but cursors move: the page moves them. */
  private cursorIn(editor: TextEditor | undefined): void {
    if (editor === undefined || editor.document.uri.scheme === "output") return;
    this.cursor = { uri: editor.document.uri.toString(), line: editor.selection.active.line };
    clearTimeout(this.cursorTimer);
    this.cursorTimer = setTimeout(() => this.tellCursor(), CURSOR_RESTS);
  }

  private tellCursor(): void {
    if (this.cursor !== null) this.tell({ type: "cursor", ...this.cursor });
  }

  private take(message: ToHost | null): void {
    switch (message?.type) {
      case "ready":
        this.ready = true;
        this.tellState();
        void this.refresh();
        break;
      case "reveal":
        this.reveal(message);
        break;
      case "probe":
        this.probe(PROBE, message.entry);
        break;
      case "compare":
        this.probe(COMPARE, message.entry);
        break;
      case "measure":
        this.probe(MEASURE, message.entry);
        break;
      case "kernel":
        this.openKernel(message);
        break;
      case undefined:
        this.session.log.warn("the capture view sent a message that is none");
        break;
    }
  }

  /** Only files of the view: the page cannot open others. */
  private reveal({ uri, range, focus }: Extract<ToHost, { type: "reveal" }>): void {
    if (this.view === null || !urisOf(this.view).has(uri)) return;
    reveal(Uri.parse(uri, true), range, { focus, beside: this.panel.viewColumn }).then(undefined, (error: unknown) => {
      this.session.log.warn(`${uri} cannot be shown: ${String(error)}`);
      void window.showWarningMessage(`This place cannot be shown: ${uri}`);
    });
  }

  private probe(command: string, entry: string | null): void {
    const args = entry === null ? [this.uri.toString()] : [this.uri.toString(), entry];
    this.session.execute(command, ...args).catch((error: unknown) => {
      this.session.log.error(`probe: ${String(error)}`);
      void window.showErrorMessage(`The probe could not run: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  private openKernel({ entry, index }: Extract<ToHost, { type: "kernel" }>): void {
    if (this.knows(entry)) void commands.executeCommand(OPEN_KERNEL, this.uri.toString(), entry, index);
  }

  private knows(entry: string): boolean {
    return this.view?.entries.some((one) => one.name === entry) ?? false;
  }
}
