import { commands, Disposable, window, workspace, type ExtensionContext } from "vscode";

import type { Session } from "../session";
import type { Band } from "./bands";
import { Decorations } from "./decorations";
import { Laid } from "./laid";
import { Painter } from "./painter";
import { canonical, pythonFiles, Views } from "./views";
import { Visibility } from "./visibility";

const HIDDEN: readonly Band[] = [];

/** After a probe the lines of each graph carry a band of its colour. */
export function registerIslands(context: ExtensionContext, session: Session): Disposable {
  const views = new Views(session);
  const decorations = new Decorations();
  const painter = new Painter(decorations);
  const visibility = new Visibility(context.workspaceState);
  const laid = new Laid(canonical);

  const paint = (): void => {
    for (const editor of window.visibleTextEditors) {
      painter.paint(editor, visibility.shown ? laid.of(editor.document.uri.toString()) : HIDDEN);
    }
  };
  const layAndPaint = (): void => {
    laid.update(views.all);
    paint();
  };
  const askAndPaint = (): void => {
    if (visibility.shown) views.want(pythonFiles());
    paint();
  };
  askAndPaint();
  return Disposable.from(
    views,
    decorations,
    views.onTold(layAndPaint),
    window.onDidChangeVisibleTextEditors(askAndPaint),
    workspace.onDidOpenTextDocument(askAndPaint),
    workspace.onDidCloseTextDocument(() => {
      views.keep(pythonFiles());
      layAndPaint();
    }),
    commands.registerCommand("capture-lsp.toggleIslands", async () => {
      await visibility.toggle();
      askAndPaint();
    }),
    workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration("capture-lsp.islands")) return;
      await visibility.settingChanged();
      askAndPaint();
    }),
  );
}
