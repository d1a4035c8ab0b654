import { EventEmitter, Uri, workspace, type Disposable } from "vscode";

import type { CaptureView } from "../protocol";
import type { Session } from "../session";
import { filesOf } from "./laid";

/** Between two requests for a view while its text is being typed. */
const PAUSE_MS = 200;

const SCHEMES = ["file", "untitled", "vscode-notebook-cell", "vscode-remote"];

/** The views of the files that matter to what is open, as the server last told them. */
export class Views {
  private readonly held = new Map<string, CaptureView>();
  private readonly asking = new Set<string>();
  /** Of those that are being asked for, the ones that have changed meanwhile. */
  private readonly again = new Set<string>();
  private readonly told = new EventEmitter<void>();
  private readonly subscription: Disposable;
  private disposed = false;
  /** A view was told, for the first time or anew. */
  readonly onTold = this.told.event;

  constructor(private readonly session: Session) {
    this.subscription = session.onViewChanged((uri) => this.refresh(uri));
  }

  get all(): CaptureView[] {
    return [...this.held.values()];
  }

  /** Asks for the views of these files unless they are here or on their way. */
  want(uris: readonly Uri[]): void {
    for (const uri of uris) {
      const key = uri.toString();
      if (!this.held.has(key) && !this.asking.has(key)) void this.ask(uri);
    }
  }

  /** Forgets what is neither about these files nor reaches into one of them. */
  keep(uris: readonly Uri[]): void {
    const open = new Set(uris.map(String));
    for (const [key, view] of this.held) {
      if (!open.has(key) && !filesOf(view, canonical).some((uri) => open.has(uri))) this.held.delete(key);
    }
  }

  dispose(): void {
    this.disposed = true;
    this.subscription.dispose();
    this.told.dispose();
  }

  /** The text of this file may have moved places of other views too. */
  private refresh(uri: Uri): void {
    const key = uri.toString();
    void this.ask(uri);
    for (const [other, view] of this.held) {
      if (other !== key && filesOf(view, canonical).includes(key)) void this.ask(Uri.parse(other, true));
    }
  }

  /** One request for a file at a time; what happens meanwhile leads to one more. */
  private async ask(uri: Uri): Promise<void> {
    const key = uri.toString();
    if (this.asking.has(key)) {
      this.again.add(key);
      return;
    }
    this.asking.add(key);
    try {
      do {
        this.again.delete(key);
        const asked = versions();
        const view = await this.session.captureView(uri);
        if (view === null || this.again.has(key)) continue;
        const now = versions();
        if (filesOf(view, canonical).some((file) => asked.get(file) !== now.get(file))) {
          // Its lines are those of a text that is no longer there.
          this.again.add(key);
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
          continue;
        }
        this.held.set(key, view);
        this.told.fire();
      } while (this.again.has(key) && !this.disposed);
    } catch (error) {
      this.session.log.warn(`The bands of ${key} were not updated: ${String(error)}`);
    } finally {
      this.asking.delete(key);
    }
  }
}

/** The server may escape other characters of a URI than the editor does. */
export function canonical(uri: string): string {
  return Uri.parse(uri).toString();
}

/** The open files in which a probe may have found something. */
export function pythonFiles(): Uri[] {
  return workspace.textDocuments
    .filter(({ languageId, uri }) => languageId === "python" && SCHEMES.includes(uri.scheme))
    .map(({ uri }) => uri);
}

function versions(): Map<string, number> {
  return new Map(workspace.textDocuments.map(({ uri, version }) => [uri.toString(), version]));
}
