/** Decoders of the page's data, field by field as in `protocol.ts`. */

import { type Decoder, flag, list, nullable, number, object, oneOf, optional, record, text } from "../common/data";
import type {
  Break,
  Call,
  Cause,
  Combination,
  Controls,
  Decision,
  Event,
  Frozen,
  GalleryItem,
  Graph,
  Guard,
  Inputs,
  Node,
  Number_,
  PageData,
  Recompile,
  Request,
  Run,
  RunError,
  Size,
  StackEntry,
  Survey,
  Symbol_,
} from "../protocol";

const frontend = oneOf("eager", "trace", "fx", "script", "dynamo", "fullgraph", "export");
const indices = list(number);

const decision = object<Decision>({ path: text, line: number, column: number, end_line: number, end_column: number, text });

const controls = object<Controls>({
  decisions: list(decision),
  inputs: list(object<Inputs>({ name: text, ways: list(text) })),
  sizes: list(object<Size>({ name: text, given: number, values: indices })),
  numbers: list(object<Number_>({ name: text, given: text, values: list(text) })),
  dtypes: list(text),
  modes: list(text),
  frontends: list(frontend),
});

const combination = object<Combination>({ inputs: number, sizes: indices, numbers: indices, dtype: number, mode: number });

const request = object<Request>({ frontend, calls: list(combination) });

const event = object<Event>({
  kind: oneOf("eager", "capture", "compile", "hit", "recompile", "break", "skip", "limit", "refused", "error"),
  text,
  line: nullable(number),
  graph: nullable(number),
});

const frozen = object<Frozen>({ line: number, what: text, kind: text, captured: text, now: text, differs: flag });

const recompile = object<Recompile>({
  path: text,
  line: number,
  function: text,
  call: number,
  guard: text,
  dimension: nullable(text),
  limit_reached: flag,
});

const call = object<Call>({
  combination,
  events: list(event),
  answer: oneOf("right", "wrong", "error", "refused"),
  difference: text,
  largest: nullable(number),
  eager: text,
  got: text,
  branches: oneOf("kept", "lost", "same way", "none", "refused"),
  ways: list(text),
  captured_ways: list(text),
  lines: text,
  missed: text,
  recompiles: list(recompile),
  limit: flag,
  graphs: number,
  breaks: number,
  frozen: list(frozen),
  explanation: text,
});

const graphBreak = object<Break>({
  path: text,
  line: number,
  column: number,
  end_line: number,
  end_column: number,
  reason: text,
  graph_break: nullable(text),
  cause: nullable(object<Cause>({ path: text, line: number, text, graph_break: nullable(text) })),
  stack: list(object<StackEntry>({ path: text, line: number, function: text })),
  resume: nullable(text),
});

/** What is one object in many runs is decoded once and stays one. */
function once<T extends object>(decoder: Decoder<T>): Decoder<T> {
  const known = new WeakMap<object, T>();
  return (value, path) => {
    if (typeof value !== "object" || value === null) return decoder(value, path);
    const there = known.get(value);
    if (there !== undefined) return there;
    const taken = decoder(value, path);
    known.set(value, taken);
    return taken;
  };
}

const node = object<Node>({
  op: text,
  name: text,
  target: text,
  args: text,
  inputs: list(text),
  module: text,
  shape: nullable(list(text)),
  dtype: nullable(text),
  path: nullable(text),
  line: nullable(number),
});

const graph = once(object<Graph>({ id: number, lines: record(text), evaluated: record(text), code: text, nodes: once(list(node)) }));

const guard = once(object<Guard>({ kind: text, source: text, expression: text, path: nullable(text), line: nullable(number) }));

const symbol = object<Symbol_>({ name: text, source: text, range: text, path: nullable(text), line: nullable(number) });

export const run = object<Run>({
  request,
  captured: oneOf("whole", "parts", "nothing", "refused", "eager"),
  message: text,
  line: nullable(number),
  graphs: once(list(graph)),
  guards: once(list(guard)),
  breaks: list(graphBreak),
  symbols: list(symbol),
  code: text,
  calls: list(call),
});

export const runError = object<RunError>({ error: text, superseded: optional(flag), changed: optional(flag) });

const survey = object<Survey>({ controls, source: text, path: text, entry: text, inputs_text: text });

const page: Decoder<PageData> = object<PageData>({
  survey: nullable(survey),
  runs: list(run),
  live: flag,
  title: text,
  teaching: text,
  gallery: list(object<GalleryItem>({ name: text, title: text })),
  torch: optional(text),
  command: optional(text),
  recorded: optional(text),
  made_up: optional(flag),
});

/** Runs share large parts, which stand once beside them; see `capture_lsp/simulator/shared_parts.py`. */
export const pageShape: Decoder<PageData> = (value, path) => {
  const given = value as { shared?: unknown; runs?: unknown } | null;
  if (!Array.isArray(given?.shared)) return page(value, path);
  return page({ ...given, runs: resolved(given.runs, given.shared) }, path);
};

/** Each `{"$shared": n}` becomes the n-th part itself: one object in many places. */
function resolved(value: unknown, parts: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, parts));
  if (typeof value !== "object" || value === null) return value;
  const { $shared: number } = value as { $shared?: unknown };
  if (typeof number === "number") return parts[number];
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one, parts)]));
}
