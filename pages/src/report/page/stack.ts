/** Bars of parts that add up, as a drawing; the numbers stand in a table or a list beside it. */

import { scaleLinear } from "d3-scale";

import { el, svg } from "../../common/dom";

export interface Segment {
  readonly name: string;
  readonly value: number;
  /** A class for its colour. */
  readonly kind: string;
}

export interface Bar {
  readonly label: string;
  readonly segments: readonly Segment[];
}

const ROW = 30;
const LABEL = 92;
/** A number needs so much room. */
const ROOM = 18;

/** All bars on one scale. `width`: about as wide as it is shown, so that its text is as large as the page's. */
export function stack(bars: readonly Bar[], label: string, width = 520): HTMLElement {
  const labelled = bars.some((bar) => bar.label !== "");
  const left = labelled ? LABEL : 0;
  const most = Math.max(1, ...bars.map(totalOf));
  const scale = scaleLinear().domain([0, most]).range([0, width - left - 44]);
  const height = bars.length * ROW;
  return el(
    "div",
    { class: "chart" },
    svg(
      "svg",
      { attributes: { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${label}: ${bars.map(spoken).join("; ")}` } },
      ...bars.map((bar, index) => row(bar, index * ROW, left, scale)),
    ),
  );
}

function row(bar: Bar, top: number, left: number, scale: (value: number) => number): SVGGElement {
  let from = 0;
  const middle = top + ROW / 2 + 4;
  const parts: SVGElement[] = [];
  for (const { name, value, kind } of bar.segments) {
    if (value === 0) continue;
    const [x, long] = [left + scale(from), scale(value)];
    parts.push(svg("rect", { class: `fill ${kind}`, attributes: { x, y: top + 4, width: Math.max(long - 1, 1), height: ROW - 8, rx: 2 } }, svg("title", { text: `${bar.label} ${name}: ${value}`.trim() })));
    if (long >= ROOM) parts.push(svg("text", { class: "on-fill", text: String(value), attributes: { x: x + long / 2, y: middle, "text-anchor": "middle" } }));
    from += value;
  }
  return svg(
    "g",
    {},
    bar.label === "" ? null : svg("text", { class: "tick", text: bar.label, attributes: { x: left - 8, y: middle, "text-anchor": "end" } }),
    ...parts,
    svg("text", { class: "total", text: String(from), attributes: { x: left + scale(from) + 6, y: middle } }),
  );
}

function totalOf({ segments }: Bar): number {
  return segments.reduce((sum, { value }) => sum + value, 0);
}

function spoken({ label, segments }: Bar): string {
  const parts = segments.filter(({ value }) => value > 0).map(({ name, value }) => `${value} ${name}`);
  return `${label} ${parts.join(", ")}`.trim();
}
