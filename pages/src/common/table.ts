/** A table with a filter and columns that sort; rows may lead to something. The table is that of the extension's view. */

import { type Column, table as viewTable } from "@view/page/table";
import type { TableState } from "@view/page/state";
import type { Place } from "@vscode-client/protocol";

export type { Column, TableState };

export const UNSORTED: TableState = { filter: "", order: null };

export interface TableOptions<T> {
  /** Names the table among all of the page. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly filter?: boolean;
  readonly state?: TableState;
  readonly onState?: (state: TableState) => void;
  /** Rows that lead nowhere have no place in the order of the keyboard. */
  readonly leads?: (row: T) => boolean;
  readonly onRow?: (row: T) => void;
}

export function table<T>({ name, label, columns, rows, filter, state, onState, leads, onRow }: TableOptions<T>): HTMLElement {
  return viewTable<T>({
    name,
    label,
    columns,
    rows,
    filter: filter ?? false,
    state: state ?? UNSORTED,
    onState: onState ?? ((): void => undefined),
    ...(onRow === undefined
      ? {}
      : { at: (row: T): Place | null => (leads?.(row) ?? true ? placeOf(rows.indexOf(row)) : null) }),
    onReveal: (at) => {
      const row = rows[at.range.start.line];
      if (row !== undefined) onRow?.(row);
    },
    onLine: () => false,
  });
}

/** The view's table tells a row by its place; here this is the row's number. */
function placeOf(index: number): Place {
  const position = { line: index, character: 0 };
  return { uri: "", range: { start: position, end: position } };
}
