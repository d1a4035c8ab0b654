/** Times and kernels of an entry. Each field may be missing: then it is not shown. */

import { decoded, list, nullable, number, object, text, type Decoder } from "../decode";

/** A ratio of times, eager to compiled, with the interval that holds it. */
export interface Ratio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

export interface Timing {
  eager_ms: number | null;
  compiled_ms: number | null;
  ratio: number | null;
  low: number | null;
  high: number | null;
  verdict: string | null;
  cold_s: number | null;
  break_even_calls: number | null;
  guards_us: number | null;
  without: Without[] | null;
}

export interface Without extends Ratio {
  breaks: string;
}

export interface Kernel {
  graph: number | null;
  name: string;
  language: string | null;
  lines: string;
  launches: number | null;
  bytes: number | null;
  flops: number | null;
  not_fused_because: string | null;
  predicted_us: number | null;
  measured_us: number | null;
}

/** Text of a value that may be text, a number or a list of such. */
const words: Decoder<string> = (value, path) => {
  if (Array.isArray(value)) return value.map((one) => words(one, path)).join(", ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([key, one]) => `${key.slice(key.lastIndexOf("/") + 1)}:${words(one, path)}`)
      .join(", ");
  }
  return value === null || value === undefined ? "" : text(typeof value === "number" ? String(value) : value, path);
};

const timing = object<Timing>({
  eager_ms: nullable(number),
  compiled_ms: nullable(number),
  ratio: nullable(number),
  low: nullable(number),
  high: nullable(number),
  verdict: nullable(text),
  cold_s: nullable(number),
  break_even_calls: nullable(number),
  guards_us: nullable(number),
  without: nullable(list(object<Without>({ breaks: words, ratio: number, low: number, high: number }))),
});

const kernel = object<Kernel>({
  graph: nullable(number),
  name: text,
  language: nullable(text),
  lines: words,
  launches: nullable(number),
  bytes: nullable(number),
  flops: nullable(number),
  not_fused_because: nullable(words),
  predicted_us: nullable(number),
  measured_us: nullable(number),
});

export function timingOf(value: object | null): Timing | null {
  return value === null ? null : decoded(timing, value);
}

/** In the order of the report: the position is what opens a kernel. */
export function kernelsOf(value: readonly object[] | null): Kernel[] {
  return value === null ? [] : (decoded(list(kernel), value) ?? []);
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

/** `1.5 M` */
export function magnitude(value: number): string {
  const unit = UNITS.find(([size]) => Math.abs(value) >= size);
  return unit === undefined ? String(value) : `${figure(value / unit[0])} ${unit[1]}`;
}

/** Three significant figures, without an exponent. */
export function figure(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
