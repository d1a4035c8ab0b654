/** Measured times and kernels. */

import { figure, type Kernel, magnitude, type Ratio, scaleFor, type Timing } from "../model/timing";
import { el, svg } from "./dom";
import type { TableState } from "./state";
import { table } from "./table";

export interface TimesOptions {
  readonly table: TableState;
  readonly onTable: (state: TableState) => void;
  readonly onKernel: (index: number) => void;
}

const WIDTH = 320;
const ROW = 22;

export function times(timing: Timing | null, kernels: readonly Kernel[], options: TimesOptions): HTMLElement {
  return el(
    "div",
    { class: "section", key: "times:section" },
    ...(timing === null ? [] : measured(timing)),
    ...(kernels.length === 0 ? [] : [kernelTable(kernels, options)]),
  );
}

function measured(timing: Timing): HTMLElement[] {
  const { eager_ms, compiled_ms, ratio, low, high, without } = timing;
  const facts: [string, string | null][] = [
    ["first call", timing.cold_s === null ? null : `${figure(timing.cold_s)} s`],
    ["pays off after", timing.break_even_calls === null ? null : `${figure(timing.break_even_calls)} calls`],
    ["guards, each call", timing.guards_us === null ? null : `${figure(timing.guards_us)} µs`],
  ];
  const blocks: HTMLElement[] = [];
  if (eager_ms !== null && compiled_ms !== null) {
    blocks.push(
      el(
        "section",
        {},
        el("h3", { text: "One call" }),
        timing.verdict === null ? null : el("p", { class: "verdict", text: timing.verdict }),
        bars([
          { label: "eager", value: eager_ms, low: null, high: null, text: `${figure(eager_ms)} ms`, kind: "eager" },
          { label: "compiled", value: compiled_ms, low: null, high: null, text: `${figure(compiled_ms)} ms`, kind: "compiled" },
        ]),
      ),
    );
  }
  const ratios: Bar[] = [];
  if (ratio !== null && low !== null && high !== null) ratios.push(ratioBar("as it is", { ratio, low, high }, "compiled"));
  for (const one of without ?? []) ratios.push(ratioBar(`without ${one.breaks}`, one, "without"));
  if (ratios.length > 0) {
    blocks.push(
      el(
        "section",
        {},
        el("h3", { text: "Ratio, with its interval" }),
        bars(ratios, 1),
        el("p", { class: "note", text: "The line marks 1: compiled takes as long as eager." }),
      ),
    );
  }
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== null);
  if (known.length > 0) {
    blocks.push(
      el("dl", { class: "facts" }, ...known.flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: value })])),
    );
  }
  return blocks;
}

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly text: string;
  readonly kind: string;
}

function ratioBar(label: string, { ratio, low, high }: Ratio, kind: string): Bar {
  return { label, value: ratio, low, high, text: `${figure(ratio)}× (${figure(low)}–${figure(high)})`, kind };
}

/** `mark`: a value that a line shows. */
function bars(rows: readonly Bar[], mark: number | null = null): HTMLElement {
  const scale = scaleFor([...rows.map(({ value, high }) => Math.max(value, high ?? 0)), mark ?? 0], WIDTH);
  return el(
    "div",
    { class: "bars", attributes: { role: "list" } },
    ...rows.map(({ label, value, low, high, text, kind }) =>
      el(
        "div",
        { class: "bar-row", attributes: { role: "listitem" } },
        el("span", { class: "bar-label", text: label, title: label }),
        svg(
          "svg",
          { class: `bar ${kind}`, attributes: { viewBox: `0 0 ${WIDTH} ${ROW}`, width: WIDTH, height: ROW, "aria-hidden": true } },
          svg("rect", { class: "value", attributes: { x: 0, y: 4, width: scale.at(value), height: ROW - 8, rx: 2 } }),
          mark === null
            ? null
            : svg("line", { class: "mark", attributes: { x1: scale.at(mark), x2: scale.at(mark), y1: 0, y2: ROW } }),
          low === null || high === null
            ? null
            : svg("path", {
                class: "interval",
                attributes: {
                  d: `M${scale.at(low)} 7V${ROW - 7}M${scale.at(low)} ${ROW / 2}H${scale.at(high)}M${scale.at(high)} 7V${ROW - 7}`,
                },
              }),
        ),
        el("span", { class: "bar-text", text }),
      ),
    ),
  );
}

function kernelTable(kernels: readonly Kernel[], options: TimesOptions): HTMLElement {
  const rows = kernels.map((kernel, index) => ({ kernel, index }));
  type Row = (typeof rows)[number];
  const figureColumn = (title: string, of: (kernel: Kernel) => number | null, show: (value: number) => string) => ({
    title,
    class: "figure whole",
    value: ({ kernel }: Row) => of(kernel) ?? -1,
    cell: ({ kernel }: Row) => {
      const value = of(kernel);
      return value === null ? "" : show(value);
    },
  });
  return el(
    "section",
    {},
    el("h3", { text: "Kernels" }),
    table<Row>({
      name: "kernels",
      label: "kernels",
      filter: kernels.length > 8,
      rows,
      state: options.table,
      onState: options.onTable,
      onReveal: () => undefined,
      onLine: () => false,
      columns: [
        {
          title: "Kernel",
          class: "code whole",
          value: ({ kernel }) => kernel.name,
          cell: ({ kernel, index }) =>
            el("button", {
              class: "link",
              text: kernel.name,
              key: `kernel:${index}`,
              title: "Open its source",
              attributes: { type: "button" },
              on: { click: () => options.onKernel(index) },
            }),
        },
        figureColumn("Graph", ({ graph }) => graph, String),
        { title: "Language", class: "whole", value: ({ kernel }) => kernel.language ?? "" },
        { title: "Lines", class: "code whole", value: ({ kernel }) => kernel.lines },
        figureColumn("Launches", ({ launches }) => launches, String),
        figureColumn("Bytes", ({ bytes }) => bytes, magnitude),
        figureColumn("FLOP", ({ flops }) => flops, magnitude),
        figureColumn("Predicted µs", ({ predicted_us }) => predicted_us, figure),
        figureColumn("Measured µs", ({ measured_us }) => measured_us, figure),
        { title: "Not fused because", class: "wide", value: ({ kernel }) => kernel.not_fused_because ?? "" },
      ],
    }),
  );
}
