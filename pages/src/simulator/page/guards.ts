/** The guards as a table. */

import { el } from "../../common/dom";
import { table, type TableState } from "../../common/table";
import type { Call, Run } from "../../protocol";
import { guardRows } from "../model/guards";
import { nameOf } from "../model/paths";
import { icon } from "./icons";

export function guardTable(run: Run, call: Call | null, path: string, state: TableState, onState: (state: TableState) => void, onLine: (line: number) => void): HTMLElement {
  const rows = guardRows(run.guards, call);
  if (rows.length === 0) {
    return el("p", { class: "note empty", text: "No guards: nothing checks in later calls whether what was captured still holds." });
  }
  const failed = rows.some((row) => row.failed);
  return table({
    name: "guards",
    label: "guards",
    rows,
    filter: rows.length > 5,
    state,
    onState,
    columns: [
      ...(failed
        ? [
            {
              title: "in this call",
              class: "narrow",
              value: (row: (typeof rows)[number]) => (row.failed ? "failed" : "held"),
              cell: (row: (typeof rows)[number]) =>
                row.failed ? el("span", { class: "chip bad", attributes: { "data-guard": "failed" } }, icon("error"), "failed") : el("span", { class: "note", text: "held" }),
            },
          ]
        : []),
      { title: "kind", class: "kind", value: (row) => row.kind },
      { title: "of", class: "code", value: (row) => row.source },
      { title: "condition", class: "code", value: (row) => row.expression },
      { title: "line", class: "figure", value: (row) => (row.line === null ? "" : row.path === path ? row.line : `${nameOf(row.path ?? "")}:${row.line}`) },
    ],
    leads: (row) => row.line !== null && row.path === path,
    onRow: (row) => {
      if (row.line !== null) onLine(row.line);
    },
  });
}
