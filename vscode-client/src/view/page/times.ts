/** What was measured of a function, and the kernels that were generated for it. */

import type { Entry, GraphCost, KernelError, Setting, Skip, Timing } from "../../protocol";
import * as words from "../model/timing";
import { type Bar, bars } from "./bars";
import { button, type Child, el } from "./dom";
import { kernelTable, type KernelOptions } from "./kernels";
import { type PlaceContext, placeLink } from "./place";

export interface TimesOptions extends KernelOptions {
  readonly context: PlaceContext;
  /** Null while the probe is at work. */
  readonly measure: (() => void) | null;
}

export function times(entry: Entry, options: TimesOptions): HTMLElement {
  const { timing, settings, kernels, graph_costs, cudagraphs, kernel_errors } = entry;
  return el(
    "div",
    { class: "section", key: "times:section" },
    ...(timing === null ? [notYet(options)] : measured(timing, options)),
    ...(settings === null || settings.length === 0 ? [] : [tried(settings)]),
    ...(graph_costs === null || graph_costs.length === 0 ? [] : [fused(graph_costs)]),
    ...(kernels === null || kernels.length === 0 ? [] : [kernelTable(kernels, options)]),
    ...(cudagraphs === null || cudagraphs.length === 0 ? [] : [skipped(cudagraphs, options)]),
    ...(kernel_errors === null || kernel_errors.length === 0 ? [] : [wrong(kernel_errors, options)]),
  );
}

function notYet({ measure }: TimesOptions): HTMLElement {
  return el(
    "p",
    { class: "note" },
    "Times were not measured. ",
    button("Measure", () => measure?.(), { class: "link", key: "measure", attributes: measure === null ? { disabled: true } : {} }),
  );
}

function measured(timing: Timing, options: TimesOptions): HTMLElement[] {
  const { eager_ms, compiled_ms, message } = timing;
  const blocks: HTMLElement[] = [];
  if (eager_ms !== null && compiled_ms !== null) {
    const row = (label: string, value: number): Bar => ({
      label,
      value,
      low: null,
      high: null,
      text: `${words.figure(value)} ms`,
      kind: label,
    });
    blocks.push(
      block("One call", el("p", { class: "verdict", text: words.speedup(timing) }), bars([row("eager", eager_ms), row("compiled", compiled_ms)])),
    );
  }
  const rows = ratios(timing, options);
  if (rows.length > 0) {
    blocks.push(
      block(
        "Eager to compiled, with the 95 % interval",
        bars(rows, 1),
        el("p", { class: "note", text: "The line marks 1: compiled takes as long as eager." }),
      ),
    );
  }
  const facts = words.factsOf(timing);
  if (facts.length > 0) {
    blocks.push(
      el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: value })])),
    );
  }
  const notes = [message, ...timing.without.map((one) => (one.message === "" ? "" : `${words.linesOf(one.breaks)}: ${one.message}`))];
  blocks.push(...notes.filter(Boolean).map((text) => el("p", { class: "note", text })));
  return blocks;
}

/** As it is, and without each break. */
function ratios(timing: Timing, { context }: TimesOptions): Bar[] {
  const found: Bar[] = [];
  const { ratio, low, high } = timing;
  if (ratio !== null) found.push({ label: "as it is", value: ratio, low, high, text: words.speedup(timing), kind: "compiled" });
  for (const one of timing.without) {
    if (one.ratio === null) continue;
    const at = one.breaks.length === 1 ? (one.breaks[0]?.at ?? null) : null;
    found.push({
      label: `without ${words.linesOf(one.breaks)}`,
      value: one.ratio,
      low: one.low,
      high: one.high,
      text: words.change(timing, one),
      kind: "without",
      title: words.howOf(one),
      ...(at === null ? {} : { onLabel: () => context.onReveal(at, true) }),
    });
  }
  return found;
}

function tried(settings: readonly Setting[]): HTMLElement {
  return block(
    "Arguments of torch.compile",
    bars(
      settings
        .filter(({ ratio }) => ratio !== null)
        .map((one) => ({
          label: one.arguments || "as it is",
          value: one.ratio ?? 0,
          low: one.low,
          high: one.high,
          text: `${words.speedup(one)}${one.cold_s === null ? "" : `, first call ${words.figure(one.cold_s)} s`}`,
          kind: "compiled",
        })),
      1,
    ),
    ...settings.filter(({ message }) => message !== "").map((one) => el("p", { class: "note", text: `${one.arguments}: ${one.message}` })),
  );
}

function fused(costs: readonly GraphCost[]): HTMLElement {
  // That an input or the output takes no kernel goes without saying.
  const unmapped = costs.flatMap(({ graph, unmapped: nodes }) =>
    nodes.filter(({ why }) => why !== "input" && why !== "output").map(({ node, why }) => `graph ${graph}, ${node}: ${why}: no kernel`),
  );
  return block(
    "Fused",
    el(
      "dl",
      { class: "facts" },
      ...costs.flatMap((cost) => [el("dt", { text: `graph ${cost.graph}` }), el("dd", { text: words.ofGraph(cost) })]),
    ),
    unmapped.length === 0 ? null : listed("Nodes without a kernel", unmapped.map((text) => [text])),
  );
}

function skipped(skips: readonly Skip[], { context }: TimesOptions): HTMLElement {
  return block(
    "CUDA graphs are not used",
    listed("CUDA graphs", skips.map((one, index) => [`graph ${one.graph}: ${words.skipText(one)} `, placeLink(one.at, context, `skip:${index}`)])),
  );
}

function wrong(errors: readonly KernelError[], { context }: TimesOptions): HTMLElement {
  return block("Triton kernels of the program", listed("Errors", errors.map(({ at, message }, index) => [`${message} `, placeLink(at, context, `error:${index}`)])));
}

function listed(label: string, rows: readonly (readonly Child[])[]): HTMLElement {
  return el("ul", { class: "listed", attributes: { "aria-label": label } }, ...rows.map((row) => el("li", {}, ...row)));
}

function block(title: string, ...children: readonly Child[]): HTMLElement {
  return el("section", {}, el("h3", { text: title }), ...children);
}
