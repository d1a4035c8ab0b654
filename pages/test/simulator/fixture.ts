/** Data in the form of the simulator's, as small as a test needs. */

import type { Call, Combination, Controls, Event, Frontend, Graph, Run } from "../../src/protocol";

export const CONTROLS: Controls = {
  decisions: [
    { path: "m.py", line: 4, column: 8, end_line: 4, end_column: 19, text: "x.sum() > 0" },
    { path: "m.py", line: 6, column: 8, end_line: 6, end_column: 19, text: "x.max() > 9" },
  ],
  inputs: [
    { name: "as given", ways: ["True", "False"] },
    { name: "x negated", ways: ["False", "False"] },
    { name: "x large", ways: ["True", "True"] },
    { name: "x large, negated", ways: ["False", "True"] },
    { name: "x zeros", ways: ["False, True", ""] },
  ],
  sizes: [{ name: "x.shape[0]", given: 4, values: [1, 2, 4, 8] }],
  numbers: [{ name: "k", given: "2", values: ["1", "2"] }],
  dtypes: ["torch.float32", "torch.float64"],
  modes: ["train", "eval"],
  frontends: ["eager", "trace", "dynamo", "export"],
};

export const GIVEN: Combination = { inputs: 0, sizes: [2], numbers: [1], dtype: 0, mode: 0 };

export function having(part: Partial<Combination>): Combination {
  return { ...GIVEN, ...part };
}

export function graph(id: number, part: Partial<Graph> = {}): Graph {
  return { id, lines: {}, evaluated: {}, code: "", nodes: [], ...part };
}

export function event(kind: Event["kind"], graph: number | null = null): Event {
  return { kind, text: "", line: null, graph };
}

export function call(part: Partial<Call> = {}): Call {
  return {
    combination: GIVEN,
    events: [],
    answer: "right",
    difference: "",
    largest: 0,
    eager: "",
    got: "",
    branches: "same way",
    ways: [],
    captured_ways: [],
    lines: "",
    missed: "",
    recompiles: [],
    limit: false,
    graphs: 1,
    breaks: 0,
    frozen: [],
    explanation: "",
    ...part,
  };
}

export function run(frontend: Frontend, calls: readonly Call[], part: Partial<Run> = {}): Run {
  return {
    request: { frontend, calls: calls.map(({ combination }) => combination) },
    captured: "whole",
    message: "",
    line: null,
    graphs: [graph(0)],
    guards: [],
    breaks: [],
    symbols: [],
    code: "",
    calls: [...calls],
    ...part,
  };
}
