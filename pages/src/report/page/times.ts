/** What was measured of an entry, and its kernels. All words come from Python. */

import { scaleLinear } from "d3-scale";

import { type Child, el, svg } from "../../common/dom";
import { table } from "../../common/table";
import type { Entry, Kernel, Remark, Timing, Variant } from "../data";
import { counted } from "../model/words";
import { later, part, place } from "./parts";

export function times({ timing, fused, kernels, cudagraphs, kernel_errors }: Entry): HTMLElement[] {
  return [
    ...(timing === null ? [] : [part("Times", ...measured(timing))]),
    ...(fused.length + kernels.length === 0
      ? []
      : [
          part(
            "Kernels",
            el("ul", { class: "plain" }, ...fused.map(({ graph, words }) => el("li", {}, el("strong", { text: `graph ${graph} ` }), words))),
            kernels.length === 0 ? null : kernelTable(kernels),
            sources(kernels),
          ),
        ]),
    ...(cudagraphs.length === 0 ? [] : [part("CUDA graphs would not be used", remarks(cudagraphs))]),
    ...(kernel_errors.length === 0 ? [] : [part("Triton kernels of the program", remarks(kernel_errors))]),
  ];
}

/** Each source once: a library's is its call. */
function sources(kernels: readonly Kernel[]): HTMLElement | null {
  const found = new Map(kernels.filter(({ source }) => source !== "").map(({ name, source }) => [`${name}\n${source}`, { name, source }]));
  if (found.size === 0) return null;
  const shown = (): HTMLElement[] =>
    [...found.values()].map(({ name, source }) => later(el("code", { text: name }), () => [el("pre", { class: "kernel-source", text: source, attributes: { tabindex: 0 } })], { open: found.size < 4 }).details);
  return later(`Sources of ${counted(found.size, "kernel")}`, () => [el("div", { class: "sources" }, ...shown())]).details;
}

export function remarks(all: readonly Remark[]): HTMLElement {
  return el("ul", { class: "plain" }, ...all.map(({ at, text }) => el("li", {}, text, " ", place(at))));
}

function measured({ facts, how, message, variants }: Timing): Child[] {
  return [
    facts.length === 0 ? null : el("p", { class: "verdict", text: facts.join(" · ") }),
    how === "" ? null : el("p", { class: "note", text: how }),
    message === "" ? null : el("p", { class: "note", text: message }),
    bars(variants),
  ];
}

const WIDTH = 260;
const ROW = 20;

/** Eager to compiled, with the interval that holds each; the line stands at 1. */
function bars(variants: readonly Variant[]): HTMLElement | null {
  if (variants.length === 0) return null;
  const most = Math.max(1, ...variants.map(({ ratio, high }) => Math.max(ratio ?? 0, high ?? 0)));
  const scale = scaleLinear().domain([0, most * 1.06]).range([0, WIDTH]);
  const drawn = variants.some(({ ratio }) => ratio !== null);
  return el(
    "div",
    { class: "table-scroll" },
    el(
      "table",
      { class: "variants" },
      drawn ? el("caption", { class: "note", text: "Eager to compiled, with the 95 % interval; the line marks 1: compiled takes as long as eager." }) : null,
      el("thead", {}, el("tr", {}, ...["Program", ...(drawn ? [""] : []), "Eager to compiled", "How"].map((title) => el("th", { text: title, attributes: { scope: "col" } })))),
      el(
        "tbody",
        {},
        ...variants.map((one) =>
          el("tr", {}, el("th", { class: "row-head", text: one.label, attributes: { scope: "row" } }), drawn ? el("td", { class: "bar-cell" }, bar(one, scale)) : null, el("td", { class: "whole", text: one.words }), el("td", { class: "note", text: [one.how, one.message].filter(Boolean).join(": ") })),
        ),
      ),
    ),
  );
}

function bar({ ratio, low, high }: Variant, scale: (value: number) => number): SVGSVGElement | null {
  if (ratio === null) return null;
  return svg(
    "svg",
    { class: "bar", attributes: { viewBox: `0 0 ${WIDTH} ${ROW}`, width: WIDTH, height: ROW, "aria-hidden": true } },
    svg("rect", { class: "fill", attributes: { x: 0, y: 4, width: scale(ratio), height: ROW - 8, rx: 2 } }),
    svg("line", { class: "one", attributes: { x1: scale(1), x2: scale(1), y1: 0, y2: ROW } }),
    low === null || high === null ? null : svg("path", { class: "interval", attributes: { d: `M${scale(low)} 6V${ROW - 6}M${scale(low)} ${ROW / 2}H${scale(high)}M${scale(high)} 6V${ROW - 6}` } }),
  );
}

function kernelTable(kernels: readonly Kernel[]): HTMLElement {
  const some = (of: (kernel: Kernel) => string): boolean => kernels.some((one) => of(one) !== "");
  return table<Kernel>({
    name: "kernels",
    label: "kernels",
    filter: kernels.length > 8,
    rows: kernels,
    columns: [
      { title: "Kernel", class: "code", value: ({ name }) => name },
      { title: "Graph", class: "figure", value: ({ graph }) => graph ?? "" },
      { title: "Language", class: "narrow", value: ({ language, backward }) => `${language}${backward ? ", backward" : ""}` },
      { title: "Lines", class: "code", value: ({ lines }) => lines },
      { title: "Launches", class: "figure", value: ({ launches }) => launches },
      { title: "Eagerly", class: "figure", value: ({ eager_launches }) => eager_launches },
      { title: "Memory", class: "figure narrow", value: ({ bytes }) => bytes, cell: ({ moved }) => moved },
      ...(some(({ operations }) => operations) ? [{ title: "Operations", class: "figure narrow", value: ({ flops }: Kernel) => flops, cell: ({ operations }: Kernel) => operations }] : []),
      ...(some(({ time }) => time) ? [{ title: "Time", class: "narrow", value: ({ time }: Kernel) => time }] : []),
      ...(some(({ compiled }) => compiled) ? [{ title: "Compiled", class: "narrow", value: ({ compiled }: Kernel) => compiled }] : []),
      { title: "Not one kernel", value: ({ not_fused }) => not_fused },
    ],
  });
}
