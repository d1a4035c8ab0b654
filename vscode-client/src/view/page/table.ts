/** A table with columns that sort, a filter, and rows that lead to their line. */

import type { Place } from "../../protocol";
import { type Cell, filtered, nextOrder, sorted } from "../model/table";
import { type Child, el } from "./dom";
import type { TableState } from "./state";

export interface Column<T> {
  readonly title: string;
  /** What it is sorted and filtered by. */
  readonly value: (row: T) => Cell;
  /** What is shown, if not the value. */
  readonly cell?: (row: T) => Child;
  readonly class?: string;
}

export interface TableOptions<T> {
  /** Names the table among all of the page. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly at?: (row: T) => Place | null;
  readonly state: TableState;
  readonly onState: (state: TableState) => void;
  readonly onReveal: (at: Place, focus: boolean) => void;
  readonly onLine: (at: Place | null) => boolean;
  readonly filter: boolean;
}

/** More rows are not drawn; the filter finds them. */
const MOST_ROWS = 2000;

export function table<T>(options: TableOptions<T>): HTMLElement {
  const { columns, name } = options;
  let state = options.state;
  const cells = (row: T): Cell[] => columns.map(({ value }) => value(row));
  const head = el("tr");
  const body = el("tbody");
  const note = el("p", { class: "note", attributes: { role: "status" } });

  const draw = (): void => {
    head.replaceChildren(
      ...columns.map((column, index) => {
        const order = state.order?.column === index ? state.order : null;
        return el(
          "th",
          {
            class: column.class ?? "",
            attributes: {
              scope: "col",
              "aria-sort": order === null ? "none" : order.descending ? "descending" : "ascending",
            },
          },
          el(
            "button",
            {
              key: `${name}:sort:${index}`,
              attributes: { type: "button" },
              on: { click: () => update({ ...state, order: nextOrder(state.order, index) }, `${name}:sort:${index}`) },
            },
            column.title,
            el("span", {
              class: "arrow",
              text: order === null ? "" : order.descending ? " ↓" : " ↑",
              attributes: { "aria-hidden": true },
            }),
          ),
        );
      }),
    );
    const found = sorted(filtered(options.rows, cells, state.filter), cells, state.order);
    const shown = found.slice(0, MOST_ROWS);
    body.replaceChildren(...shown.map((row, index) => tableRow(row, index, options)));
    note.textContent = noteOn(options.rows.length, found.length, shown.length);
    note.hidden = note.textContent === "";
  };
  const update = (next: TableState, focus: string | null): void => {
    state = next;
    options.onState(next);
    draw();
    if (focus !== null) head.querySelector<HTMLElement>(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  };
  draw();

  return el(
    "div",
    { class: "table-block" },
    options.filter
      ? el("input", {
          class: "filter",
          key: `${name}:filter`,
          attributes: {
            type: "search",
            placeholder: "Filter",
            "aria-label": `Filter ${options.label}`,
            value: state.filter,
            spellcheck: false,
          },
          on: { input: (event) => update({ ...state, filter: (event.target as HTMLInputElement).value }, null) },
        })
      : null,
    el(
      "div",
      { class: "table-scroll", key: `${name}:scroll` },
      el("table", { attributes: { "aria-label": options.label }, on: { keydown: moveInRows } }, el("thead", {}, head), body),
    ),
    note,
  );
}

function noteOn(all: number, found: number, shown: number): string {
  if (found === 0 && all > 0) return "Nothing matches the filter.";
  if (shown < found) return `${shown} of ${found} are shown: filter to see others.`;
  return found < all ? `${found} of ${all}` : "";
}

function tableRow<T>(row: T, index: number, options: TableOptions<T>): HTMLElement {
  const at = options.at?.(row) ?? null;
  const made =
    at === null
      ? {}
      : {
          key: `${options.name}:row:${index}`,
          attributes: { tabindex: index === 0 ? 0 : -1 },
          on: {
            click: (): void => {
              if (String(getSelection()) === "") options.onReveal(at, false);
            },
            keydown: (event: KeyboardEvent): void => {
              if (event.key === "Enter" && event.target === event.currentTarget) options.onReveal(at, true);
            },
          },
        };
  return el(
    "tr",
    { class: `${at === null ? "" : "leads"}${options.onLine(at) ? " on-line" : ""}`, ...made },
    ...options.columns.map((column) => {
      const content = column.cell?.(row);
      return content === undefined
        ? el("td", { class: column.class ?? "", text: String(column.value(row)) })
        : el("td", { class: column.class ?? "" }, content);
    }),
  );
}

function moveInRows(event: KeyboardEvent): void {
  const row = (event.target as HTMLElement).closest("tbody tr");
  if (row === null || row !== event.target) return;
  const rows = [...(row.parentElement?.children ?? [])].filter((one) => one.hasAttribute("tabindex"));
  const index = rows.indexOf(row);
  const to = { ArrowDown: rows[index + 1], ArrowUp: rows[index - 1], Home: rows[0], End: rows.at(-1) }[event.key];
  if (!(to instanceof HTMLElement)) return;
  event.preventDefault();
  row.setAttribute("tabindex", "-1");
  to.setAttribute("tabindex", "0");
  to.focus();
}
