/** The tabs that are tables: guards, frontends, paths and recompiles. */

import type { Break, Entry, FrontendResult, Place } from "../../protocol";
import { dedupedBreaks, guardsOf } from "../model/entry";
import { lineText } from "../model/places";
import type { Cell } from "../model/table";
import { frontendName, outcomeOf } from "../model/words";
import { button, el } from "./dom";
import type { PageState, TableState } from "./state";
import { table, type TableOptions } from "./table";

export interface SectionContext {
  /** The file that the view is of. */
  readonly uri: string;
  readonly state: PageState;
  readonly onTable: (name: string, state: TableState) => void;
  readonly onReveal: (at: Place, focus: boolean) => void;
  readonly onLine: (at: Place | null) => boolean;
}

const EMPTY_TABLE: TableState = { filter: "", order: null };

type Given<T> = Omit<TableOptions<T>, "state" | "onState" | "onReveal" | "onLine">;

function tableIn<T>(context: SectionContext, given: Given<T>): HTMLElement {
  return table({
    ...given,
    state: context.state.tables[given.name] ?? EMPTY_TABLE,
    onState: (state) => context.onTable(given.name, state),
    onReveal: context.onReveal,
    onLine: context.onLine,
  });
}

/** The line, as lines are counted in the editor; with the file's name if it is another than the view's. */
function placeColumn({ uri }: SectionContext): { title: string; value: (row: { at: Place | null }) => Cell; class: string } {
  return { title: "Line", value: ({ at }) => lineText(at, uri), class: "place" };
}

export function guards(entry: Entry, context: SectionContext, onAll: () => void): HTMLElement {
  const { frame } = context.state;
  const name = frame === null ? null : entry.frames[frame]?.function;
  return el(
    "div",
    { class: "section" },
    name === null || name === undefined
      ? null
      : el(
          "p",
          { class: "note" },
          `Guards of ${name}. `,
          el("button", { class: "link", text: "Show all", attributes: { type: "button" }, on: { click: onAll } }),
        ),
    tableIn(context, {
      name: "guards",
      label: "guards",
      filter: true,
      rows: guardsOf(entry, frame),
      at: (row) => row.at,
      columns: [
        { title: "Kind", value: (row) => row.kind, class: "code kind" },
        { title: "Source", value: (row) => row.source, class: "code" },
        { title: "Condition", value: (row) => row.expression, class: "code wide" },
        placeColumn(context),
      ],
    }),
  );
}

/** `compare`: null while the probe is at work. */
export function frontends(entry: Entry, context: SectionContext, compare: (() => void) | null): HTMLElement {
  return el(
    "div",
    { class: "section" },
    tableIn<FrontendResult>(context, {
      name: "frontends",
      label: "frontends",
      filter: false,
      rows: entry.matrix,
      at: (row) => row.at,
      columns: [
        { title: "Frontend", value: (row) => frontendName(row.frontend), class: "code narrow" },
        { title: "Outcome", value: (row) => outcomeOf(row.outcome).words, cell: (row) => outcome(row.outcome), class: "narrow" },
        { title: "What it said", value: (row) => row.message, cell: said, class: "wide" },
        placeColumn(context),
      ],
    }),
    entry.matrix.length > 1
      ? null
      : el(
          "p",
          { class: "note" },
          "Only torch.compile was probed. ",
          button("Compare all frontends", () => compare?.(), {
            class: "link",
            key: "compare",
            attributes: compare === null ? { disabled: true } : {},
          }),
        ),
  );
}

function outcome(name: string): HTMLElement {
  const { symbol, words, tone } = outcomeOf(name);
  return el(
    "span",
    { class: `outcome ${tone}` },
    el("span", { class: "symbol", text: symbol, attributes: { "aria-hidden": true } }),
    words,
  );
}

function said({ message, counterexample, perturbed }: FrontendResult): HTMLElement {
  return el(
    "div",
    {},
    message === "" ? null : el("p", { class: "message", text: message }),
    counterexample === null
      ? null
      : el(
          "dl",
          { class: "counterexample" },
          ...(
            [
              ["inputs", counterexample.inputs],
              ["eager gives", counterexample.eager],
              ["captured gives", counterexample.got],
              ["difference", counterexample.difference],
            ] as const
          )
            .filter(([, text]) => text !== "")
            .flatMap(([title, text]) => [el("dt", { text: title }), el("dd", { text })]),
        ),
    perturbed.length === 0
      ? null
      : el(
          "ul",
          { class: "perturbed", attributes: { "aria-label": "With other inputs" } },
          ...perturbed.map((one) =>
            el(
              "li",
              {},
              el("span", { class: "change", text: one.change }),
              outcome(one.outcome),
              one.message === "" ? null : el("span", { class: "message", text: one.message }),
            ),
          ),
        ),
  );
}

export function paths(entry: Entry, context: SectionContext): HTMLElement {
  const blocks = [
    block("Breaks", dedupedBreaks(entry), (rows) =>
      tableIn<Break>(context, {
        name: "breaks",
        label: "breaks",
        filter: false,
        rows,
        at: (row) => row.at,
        columns: [
          { title: "Reason", value: (row) => row.reason, class: "wide" },
          { title: "Kind", value: (row) => row.graph_break, class: "code" },
          { title: "Goes on in", value: (row) => row.resume, class: "code" },
          placeColumn(context),
        ],
      }),
    ),
    block("Recompiles", entry.recompiles, (rows) =>
      tableIn(context, {
        name: "recompiles",
        label: "recompiles",
        filter: false,
        rows,
        at: (row) => row.at,
        columns: [
          { title: "Call", value: (row) => row.call + 1, class: "figure" },
          { title: "Function", value: (row) => row.function, class: "code" },
          { title: "On", value: (row) => row.dimension, class: "code" },
          {
            title: "Guard that failed",
            value: (row) => row.guard + (row.limit_reached ? " (the limit of recompiles is reached: it runs eagerly)" : ""),
            class: "wide",
          },
          placeColumn(context),
        ],
      }),
    ),
    block("Paths", entry.paths, (rows) =>
      tableIn(context, {
        name: "paths",
        label: "paths",
        filter: false,
        rows,
        at: (row) => row.decisions[0]?.at ?? row.breaks[0]?.at ?? null,
        columns: [
          {
            title: "Decisions",
            value: (row) => row.decisions.map(({ at, value }) => `line ${lineText(at, context.uri)}: ${value}`).join(", ") || "none",
            class: "code wide",
          },
          { title: "Status", value: (row) => row.status.replaceAll("_", " ") },
          { title: "Graphs", value: (row) => row.graphs, class: "figure" },
          { title: "Breaks", value: (row) => row.breaks.length, class: "figure" },
        ],
      }),
    ),
    block("Symbols", entry.symbols, (rows) =>
      tableIn(context, {
        name: "symbols",
        label: "symbols",
        filter: false,
        rows,
        at: (row) => row.at,
        columns: [
          { title: "Symbol", value: (row) => row.name, class: "code" },
          { title: "Stands for", value: (row) => row.source, class: "code wide" },
          { title: "Range", value: (row) => row.range, class: "code" },
          placeColumn(context),
        ],
      }),
    ),
  ].filter((one) => one !== null);
  return el(
    "div",
    { class: "section", key: "paths:section" },
    ...(blocks.length > 0 ? blocks : [el("p", { class: "note", text: "No breaks, no recompiles, no other paths." })]),
  );
}

function block<T>(title: string, rows: readonly T[], draw: (rows: readonly T[]) => HTMLElement): HTMLElement | null {
  return rows.length === 0 ? null : el("section", {}, el("h3", { text: title }), draw(rows));
}
