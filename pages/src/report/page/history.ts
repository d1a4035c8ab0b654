/** How it went on from run to run: a drawing, and the same numbers as a table. */

import { scaleLinear, scalePoint } from "d3-scale";

import { type Child, el, svg } from "../../common/dom";
import { table } from "../../common/table";
import type { Data, Row } from "../data";
import { counted } from "../model/words";

const WIDTH = 760;
const HEIGHT = 220;
const MARGIN = { left: 52, right: 110, top: 14, bottom: 30 };

interface Series {
  readonly name: string;
  readonly kind: string;
  readonly of: (row: Row) => number | null;
}

const SERIES: readonly Series[] = [
  { name: "findings", kind: "findings-line", of: ({ findings }) => findings },
  { name: "breaks", kind: "breaks-line", of: ({ breaks }) => breaks },
  { name: "recompilations", kind: "recompiles-line", of: ({ recompiles }) => recompiles },
];

export function history({ history: rows, outcome_words, frontend_names }: Data): HTMLElement | null {
  if (rows.length === 0) return null;
  return el(
    "section",
    { class: "history", attributes: { id: "history", "aria-labelledby": "history-title" } },
    el("h2", { text: "History", attributes: { id: "history-title" } }),
    el("div", { class: "card" }, rows.length < 2 ? el("p", { class: "note", text: "This is the first run in the history." }) : chart(rows), runs(rows, outcome_words, frontend_names)),
  );
}

function chart(rows: readonly Row[]): HTMLElement {
  const shown = SERIES.filter(({ of }) => rows.some((row) => of(row) !== null));
  const most = Math.max(1, ...rows.flatMap((row) => shown.map(({ of }) => of(row) ?? 0)));
  const x = scalePoint<number>()
    .domain(rows.map((_, index) => index))
    .range([MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear().domain([0, most]).nice(4).range([HEIGHT - MARGIN.bottom, MARGIN.top]);
  const at = (index: number): number => x(index) ?? 0;
  const every = Math.ceil(rows.length / 7);
  const labels = apart(shown.map((series) => y(last(rows, series.of) ?? 0)));
  return el(
    "figure",
    { class: "chart history-chart" },
    svg(
      "svg",
      { attributes: { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `From ${rows[0]?.date ?? ""} to ${rows.at(-1)?.date ?? ""}: ${shown.map(({ name, of }) => `${name} from ${first(rows, of) ?? "?"} to ${last(rows, of) ?? "?"}`).join(", ")}` } },
      ...y.ticks(4).filter(Number.isInteger).flatMap((tick) => [
        svg("line", { class: "grid", attributes: { x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y(tick), y2: y(tick) } }),
        svg("text", { class: "tick", text: String(tick), attributes: { x: MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end" } }),
      ]),
      ...rows.flatMap((row, index) => (index % every === 0 ? [svg("text", { class: "tick", text: row.date, attributes: { x: at(index), y: HEIGHT - 8, "text-anchor": "middle" } })] : [])),
      ...shown.map(({ name, kind, of }, number) => {
        const points = rows.flatMap((row, index) => {
          const value = of(row);
          return value === null ? [] : [{ index, value, row }];
        });
        return svg(
          "g",
          { class: kind },
          svg("path", { class: "course", attributes: { d: points.map(({ index, value }, step) => `${step === 0 ? "M" : "L"}${at(index)} ${y(value)}`).join("") } }),
          ...points.map(({ index, value, row }) => svg("circle", { attributes: { cx: at(index), cy: y(value), r: rows.length > 60 ? 1.5 : 3 } }, svg("title", { text: `${row.date} ${row.commit.slice(0, 12)}: ${value} ${name}` }))),
          svg("text", { class: "series", text: name, attributes: { x: WIDTH - MARGIN.right + 10, y: (labels[number] ?? 0) + 4 } }),
        );
      }),
    ),
  );
}

/** Labels keep a line's height between each other. */
function apart(places: readonly number[]): number[] {
  const order = places.map((_, index) => index).sort((one, other) => (places[one] ?? 0) - (places[other] ?? 0));
  const found = [...places];
  order.forEach((index, position) => {
    const above = order[position - 1];
    if (above !== undefined) found[index] = Math.max(found[index] ?? 0, (found[above] ?? 0) + 15);
  });
  return found;
}

function first(rows: readonly Row[], of: Series["of"]): number | null {
  return rows.map(of).find((value) => value !== null) ?? null;
}

function last(rows: readonly Row[], of: Series["of"]): number | null {
  return first([...rows].reverse(), of);
}

function runs(rows: readonly Row[], outcomes: Data["outcome_words"], frontends: Data["frontend_names"]): HTMLElement {
  const worded = (counts: Record<string, number>, names: Record<string, string>): string =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${names[name] ?? name}`)
      .join(", ");
  const figure = (title: string, of: (row: Row) => number | null) => ({
    title,
    class: "figure",
    value: (row: Row) => of(row) ?? -1,
    cell: (row: Row): Child => String(of(row) ?? "–"),
  });
  return el(
    "details",
    { class: "runs", attributes: rows.length < 13 ? { open: true } : {} },
    el("summary", { text: counted(rows.length, "run") }),
    table<Row>({
      name: "runs",
      label: "runs",
      rows: [...rows].reverse(),
      columns: [
        { title: "Date", class: "narrow", value: ({ date }) => date },
        { title: "Commit", class: "code", value: ({ commit }) => commit.slice(0, 12) },
        { title: "torch", class: "narrow", value: ({ torch }) => torch },
        figure("Findings", ({ findings }) => findings),
        { title: "By outcome", value: ({ kinds }) => worded(kinds, outcomes) },
        { title: "By frontend", value: (row) => worded(row.frontends, frontends) },
        figure("Breaks", ({ breaks }) => breaks),
        figure("Graphs", (row) => row.graphs),
        figure("Recompiles", ({ recompiles }) => recompiles),
        { title: "Whole", class: "figure", value: ({ whole }) => whole ?? -1, cell: ({ whole, entries }) => (whole === null ? "–" : `${whole} of ${entries ?? 0}`) },
      ],
    }),
  );
}
