import {
  Disposable,
  EventEmitter,
  languages,
  Uri,
  ViewColumn,
  window,
  workspace,
  type TextDocumentContentProvider,
} from "vscode";

import type { Session } from "../session";
import { generated, gone, title, type Address, type Generated, type Kind } from "./generated";

/** Read-only documents with the code that PyTorch made; open ones follow the probes. */
export class GeneratedDocuments implements TextDocumentContentProvider {
  private readonly changed = new EventEmitter<Uri>();
  private readonly texts = new Map<string, string>();
  private readonly parts: Disposable;
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly session: Session,
    private readonly kind: Kind,
  ) {
    this.parts = Disposable.from(
      this.changed,
      workspace.registerTextDocumentContentProvider(this.scheme, this),
      session.onViewChanged((source) => this.refresh(source)),
      workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  private get scheme(): string {
    return `capture-${this.kind}`;
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const key = uri.toString();
    const address = read(uri);
    const view = await this.session.captureView(Uri.parse(address.uri));
    // Without a server what was last shown stays.
    const text = view === null ? this.texts.get(key) : (generated(this.kind, view, address)?.text ?? gone(this.kind, address));
    if (text === undefined) throw new Error("capture-lsp's server is not running.");
    this.texts.set(key, text);
    return text;
  }

  async open(address: Address): Promise<void> {
    const found = await this.find(address);
    if (found === null) {
      void window.showInformationMessage(`${gone(this.kind, address)} Probe the function again.`);
      return;
    }
    const document = await workspace.openTextDocument(
      Uri.from({ scheme: this.scheme, path: `/${title(this.kind, address, found.language)}`, query: JSON.stringify(address) }),
    );
    await languages.setTextDocumentLanguage(document, found.language);
    await window.showTextDocument(document, { viewColumn: columnOf(address.uri), preview: true });
  }

  dispose(): void {
    this.parts.dispose();
  }

  private async find(address: Address): Promise<Generated | null> {
    const view = await this.session.captureView(Uri.parse(address.uri));
    return view === null ? null : generated(this.kind, view, address);
  }

  private refresh(source: Uri): void {
    for (const { uri } of workspace.textDocuments) {
      if (uri.scheme === this.scheme && Uri.parse(read(uri).uri).toString() === source.toString()) this.changed.fire(uri);
    }
  }
}

/** Beside the capture view there is often the source: the code is shown where that is. */
function columnOf(source: string): ViewColumn {
  const uri = Uri.parse(source).toString();
  return window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri)?.viewColumn ?? ViewColumn.Active;
}

function read(uri: Uri): Address {
  return JSON.parse(uri.query) as Address;
}
