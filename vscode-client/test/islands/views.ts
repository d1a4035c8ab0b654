import type { CaptureView, Entry, Island } from "../../src/protocol";

export function view(uri: string, ...entries: Partial<Entry>[]): CaptureView {
  return { version: 1, uri, torch: "2.13.0", device: "cpu", entries: entries.map(entry) };
}

export function entry(given: Partial<Entry>): Entry {
  return {
    name: "f",
    at: null,
    status: "ok",
    message: "",
    stale: false,
    probed: 0,
    figures: "",
    inputs: [],
    frames: [],
    recompiles: [],
    symbols: [],
    matrix: [],
    paths: [],
    timing: null,
    settings: null,
    kernels: null,
    graph_costs: null,
    cudagraphs: null,
    kernel_errors: null,
    islands: [],
    ...given,
  };
}

/** An island with these lines, each pair with both ends. */
export function island(uri: string, what: number | "eager" | "skipped", ...lines: [number, number][]): Island {
  const graph = typeof what === "number" ? what : null;
  return {
    kind: typeof what === "number" ? "graph" : what,
    graph,
    function: "f",
    label: graph === null ? `${what}: why` : `graph ${graph} · 4 ops`,
    uri,
    ranges: lines.map(([start, end]) => ({ start: { line: start, character: 0 }, end: { line: end, character: 12 } })),
  };
}
