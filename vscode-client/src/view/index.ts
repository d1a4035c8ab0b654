import { commands, Disposable, type ExtensionContext, Uri, ViewColumn, type WebviewPanel, window } from "vscode";

import type { Session } from "../session";
import { WANTED, type Wanted } from "./messages";
import { pageFolder, VIEW_TYPE, ViewPanel, type Wish } from "./panel";

export const OPEN_VIEW = "capture-lsp.openView";

/** The capture view: a panel beside the editor with all that probes found in a file. */
export function registerView(context: ExtensionContext, session: Session): Disposable {
  let current: ViewPanel | null = null;

  const adopt = (panel: WebviewPanel, uri: Uri): ViewPanel => {
    const view = new ViewPanel(panel, context, session, uri);
    panel.onDidDispose(() => {
      view.dispose();
      if (current === view) current = null;
    });
    current = view;
    return view;
  };

  const open = (given: unknown, name: unknown, part: unknown): void => {
    const editor = window.activeTextEditor;
    const uri = uriOf(given) ?? editor?.document.uri;
    if (uri === undefined) {
      void window.showInformationMessage("Open a Python file to see what was captured in it.");
      return;
    }
    const here = editor?.document.uri.toString() === uri.toString() ? editor : undefined;
    const wish: Wish = {
      entry: typeof name === "string" && name !== "" ? name : null,
      part: wantedOf(part),
      from: here === undefined ? null : { uri: uri.toString(), line: here.selection.active.line },
    };
    const view = current ?? adopt(newPanel(context), uri);
    view.show(uri, wish, ViewColumn.Beside);
  };

  return Disposable.from(
    commands.registerCommand(OPEN_VIEW, open),
    window.registerWebviewPanelSerializer(VIEW_TYPE, {
      deserializeWebviewPanel: (panel: WebviewPanel, state: unknown) => {
        const uri = uriOf((state as { uri?: unknown } | null)?.uri);
        if (uri === undefined || current !== null) panel.dispose();
        else adopt(panel, uri);
        return Promise.resolve();
      },
    }),
    new Disposable(() => {
      current?.dispose();
    }),
  );
}

function newPanel(context: ExtensionContext): WebviewPanel {
  return window.createWebviewPanel(
    VIEW_TYPE,
    "Capture",
    { viewColumn: ViewColumn.Beside, preserveFocus: true },
    { enableScripts: true, localResourceRoots: [pageFolder(context)], enableFindWidget: true },
  );
}

function uriOf(value: unknown): Uri | undefined {
  if (value instanceof Uri) return value;
  if (typeof value !== "string" || value === "") return undefined;
  try {
    return Uri.parse(value, true);
  } catch {
    return undefined;
  }
}

function wantedOf(value: unknown): Wanted | null {
  return WANTED.find((one) => one === value) ?? null;
}
