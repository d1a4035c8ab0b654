/** A function with its islands: which lines went into which graph. */

import { type Child, el } from "../../common/dom";
import type { Function_, Step } from "../data";
import { bandsOf } from "../model/bands";
import type { Texts } from "../model/texts";
import { listing } from "./code";
import { badge } from "./parts";

export function functionSource(one: Function_, texts: Texts): HTMLElement | null {
  const rows = texts.range(one.path, one.first, one.last);
  if (rows.length === 0) return null;
  const bands = bandsOf(one);
  const breaks = new Map<number, Step[]>();
  for (const step of one.breaks) breaks.set(step.at.line, [...(breaks.get(step.at.line) ?? []), step]);
  const cut = one.last - one.first + 1 - rows.length;
  return el(
    "div",
    { class: "function" },
    listing(rows, `Source of ${one.name}`, null, (line) => {
      const band = bands.get(line);
      const notes = (breaks.get(line) ?? []).map(({ text }) => el("div", { class: "line-note poor" }, el("span", { class: "note-text", text: "breaks" }), el("span", { text })));
      if (band === undefined) return { before: el("span", { class: "stripe" }), notes };
      const { island, lane, begins, ends } = band;
      const kind = lane === null ? island.kind : `lane-${lane}`;
      return {
        before: el("span", { class: `stripe ${kind}${begins ? " first" : ""}${ends ? " last" : ""}`, text: begins && island.graph !== null ? String(island.graph) : "", attributes: { "aria-hidden": true } }),
        after: begins ? el("span", { class: `island-label ${kind}`, text: island.label }) : null,
        class: island.kind === "graph" ? "" : "is-eager",
        notes,
      };
    }),
    cut > 0 ? el("p", { class: "note", text: `${cut} more lines are left out.` }) : null,
  );
}

/** What the colours mean, for the graphs of the functions. */
export function legend(functions: readonly Function_[]): Child {
  const eager = functions.some(({ islands }) => islands.some(({ kind }) => kind !== "graph"));
  return el(
    "p",
    { class: "note legend-line" },
    "A stripe joins the lines that go into one graph; its number is the graph's. ",
    eager ? badge("runs eagerly", "quiet") : null,
    eager ? " lines go into none." : null,
  );
}
