/** Times and kernels in words and figures. A difference is claimed only where the probe's verdict claims it. */

import type { Entry, GraphCost, Kernel, MeasuredBreak, Setting, Skip, Timing, Without } from "../../protocol";

export function isMeasured(entry: Entry): boolean {
  return [entry.settings, entry.kernels, entry.graph_costs, entry.cudagraphs, entry.kernel_errors].some(
    (found) => found !== null && found.length > 0,
  ) || entry.timing !== null;
}

/** `1.79×` */
export function times(value: number): string {
  return `${ratioText(value)}×`;
}

/** Two decimals, or as many as the first two figures take: what is 700 times as slow is not 0.00×. */
function ratioText(value: number): string {
  return value.toFixed(value > 0 ? Math.max(2, 1 - Math.floor(Math.log10(value))) : 2);
}

/** `1.79× (1.71–1.88)`, `no difference measured: 1.02× (0.97–1.06)` */
export function speedup({ ratio, low, high, verdict }: Pick<Timing | Setting, "ratio" | "low" | "high" | "verdict">): string {
  if (ratio === null) return verdict;
  const shown = interval(ratio, low, high);
  return verdict === "faster" ? shown : `${verdict}: ${shown}`;
}

function interval(value: number, low: number | null, high: number | null): string {
  return low === null || high === null ? times(value) : `${times(value)} (${ratioText(low)}–${ratioText(high)})`;
}

/** `1.31× → 1.58×, gain 1.21× (1.15–1.27)` */
export function change(timing: Timing, { verdict, ratio, gain, gain_low, gain_high }: Without): string {
  if ((verdict !== "faster" && verdict !== "slower") || ratio === null || timing.ratio === null || gain === null) return verdict;
  const slower = verdict === "slower" ? "slower: " : "";
  return `${slower}${times(timing.ratio)} → ${times(ratio)}, gain ${interval(gain, gain_low, gain_high)}`;
}

/** `14`, `14 and 77`, `3, 14 and 77` */
export function linesOf(breaks: readonly MeasuredBreak[]): string {
  const lines = breaks.map(({ line }) => line);
  const last = lines.at(-1) ?? "";
  return lines.length < 2 ? last : `${lines.slice(0, -1).join(", ")} and ${last}`;
}

const HOW: Record<string, string> = {
  fix: "with its fix applied",
  answered: "with the values read answered",
  kept: "with the tensor kept, not read",
  removed: "with the call left out",
};

/** Several breaks may each have gone in another way, which the rows of the single ones say. */
export function howOf({ breaks, how }: Without): string {
  return breaks.length > 1 ? "each as by itself" : (HOW[how] ?? how);
}

/** What one call takes besides computing, and how it was measured: names and values. */
export function factsOf(timing: Timing): [string, string][] {
  const { cold_s, break_even_calls, guards_us, rounds, processes, threads, clock, eager_cpu_ms, compiled_cpu_ms } = timing;
  const found: [string, string | null][] = [
    ["First call", cold_s === null ? null : `${figure(cold_s)} s`],
    ["Pays for itself after", break_even_calls === null ? null : `${break_even_calls.toLocaleString("en")} calls`],
    ["Guards, each call", guards_us === null ? null : `${figure(guards_us)} µs`],
    [
      "CPU time",
      eager_cpu_ms === null || compiled_cpu_ms === null ? null : `eager ${figure(eager_cpu_ms)} ms, compiled ${figure(compiled_cpu_ms)} ms`,
    ],
    [
      "Measured",
      rounds === 0
        ? null
        : `${clock === "wall" ? "wall clock" : "CUDA events"}, ${counted(threads, "thread")}, ` +
          `${rounds} rounds in ${counted(processes, "process", "processes")}`,
    ],
  ];
  return found.filter((fact): fact is [string, string] => fact[1] !== null);
}

/** `12 launches → 3 kernels · 1.2 MB → 400 kB · predicted 2.10× on h100` */
export function ofGraph(cost: GraphCost): string {
  return [
    `${counted(cost.eager_launches, "launch", "launches")} eagerly → ${counted(cost.fused_launches, "kernel")}`,
    `${magnitude(cost.eager_bytes)}B → ${magnitude(cost.fused_bytes)}B`,
    cost.flops === 0 ? "" : `${magnitude(cost.flops)}FLOP`,
    cost.predicted_ratio === null ? "" : `predicted ${times(cost.predicted_ratio)} on ${cost.target}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Measured before predicted, each with its word. */
export function timeOf({ measured_us, predicted_us }: Kernel): string {
  return [
    measured_us === null ? "" : `measured ${figure(measured_us)} µs`,
    predicted_us === null ? "" : `predicted ${figure(predicted_us)} µs`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** `PTX, 32 registers` */
export function compiledOf({ ptx, registers, spills }: Kernel): string {
  if (ptx === null) return "";
  const found = [ptx ? "PTX" : "no PTX"];
  if (registers !== null) found.push(`${registers} registers`);
  if (spills !== null && spills > 0) found.push(`${spills} spilled`);
  return found.join(", ");
}

export function notFused({ not_fused_because }: Kernel): string {
  return not_fused_because.map((one) => `with ${one.with}: ${one.why}`).join("; ");
}

export function skipText({ subject, reason, predicted }: Skip): string {
  return `${subject === "" ? "" : `${subject}: `}${reason}${predicted ? " (predicted)" : ""}`;
}

function counted(value: number, noun: string, nouns = `${noun}s`): string {
  return `${value.toLocaleString("en")} ${value === 1 ? noun : nouns}`;
}

export interface Scale {
  readonly end: number;
  at(value: number): number;
}

/** From 0 to a little beyond the greatest value, mapped onto a width. */
export function scaleFor(values: readonly number[], width: number): Scale {
  const end = Math.max(...values, Number.MIN_VALUE) * 1.08;
  return { end, at: (value) => (value / end) * width };
}

const UNITS: [number, string][] = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

/** `1.5 M`, `12 `: a unit can follow. */
export function magnitude(value: number): string {
  const unit = UNITS.find(([size]) => Math.abs(value) >= size);
  return unit === undefined ? `${value} ` : `${figure(value / unit[0])} ${unit[1]}`;
}

/** Three significant figures, without an exponent. */
export function figure(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
