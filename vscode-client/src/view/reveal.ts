import {
  NotebookRange,
  Range,
  TabInputNotebook,
  TabInputText,
  TextEditorRevealType,
  type Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";

import type { Range as PlainRange } from "../protocol";

export interface RevealOptions {
  /** Whether the editor gets the keyboard. */
  readonly focus: boolean;
  /** The column of the panel, which is not to be covered. */
  readonly beside: ViewColumn | undefined;
}

/** Puts the cursor of the file's editor on the beginning of the range, in the column where the file is open. */
export async function reveal(uri: Uri, { start }: PlainRange, { focus, beside }: RevealOptions): Promise<void> {
  const at = new Range(start.line, start.character, start.line, start.character);
  const column = columnOf(uri) ?? columnNextTo(beside);
  const cell = cellOf(uri);
  if (cell !== null) {
    await window.showNotebookDocument(cell.notebook, {
      viewColumn: column,
      preserveFocus: !focus,
      selections: [new NotebookRange(cell.index, cell.index + 1)],
    });
    const editor = window.visibleTextEditors.find((one) => one.document.uri.toString() === uri.toString());
    editor?.revealRange(at, TextEditorRevealType.InCenterIfOutsideViewport);
    return;
  }
  const document = await workspace.openTextDocument(uri);
  const editor = await window.showTextDocument(document, { viewColumn: column, preserveFocus: !focus, selection: at });
  editor.revealRange(at, TextEditorRevealType.InCenterIfOutsideViewport);
}

function cellOf(uri: Uri): { notebook: (typeof workspace.notebookDocuments)[number]; index: number } | null {
  for (const notebook of workspace.notebookDocuments) {
    const cell = notebook.getCells().find((one) => one.document.uri.toString() === uri.toString());
    if (cell !== undefined) return { notebook, index: cell.index };
  }
  return null;
}

/** Where the file is seen, or else where it has a tab. */
function columnOf(uri: Uri): ViewColumn | undefined {
  const seen = window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  if (seen?.viewColumn !== undefined) return seen.viewColumn;
  const group = window.tabGroups.all.find(({ tabs }) =>
    tabs.some(
      ({ input }) =>
        (input instanceof TabInputText && input.uri.toString() === uri.toString()) ||
        (input instanceof TabInputNotebook && input.uri.path === uri.path),
    ),
  );
  return group?.viewColumn;
}

function columnNextTo(panel: ViewColumn | undefined): ViewColumn {
  const other = window.tabGroups.all.find(({ viewColumn }) => viewColumn !== panel);
  return other?.viewColumn ?? ViewColumn.Beside;
}
