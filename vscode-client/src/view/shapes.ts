/** Decoders of the server's answer, field by field as in `protocol.ts`. */

import type {
  Break,
  CaptureView,
  Counterexample,
  Entry,
  ExploredPath,
  Frame,
  FrontendResult,
  Graph,
  Guard,
  Island,
  Node,
  Place,
  Position,
  Range,
  Recompile,
  Symbol_,
} from "../protocol";
import { type Decoder, flag, list, nullable, number, object, oneOf, text } from "./decode";

const position = object<Position>({ line: number, character: number });

export const range = object<Range>({ start: position, end: position });

export const place = object<Place>({ uri: text, range });

const at = nullable(place);

/** Times and kernels have decoders of their own (`model/timing.ts`): an unknown form of them costs only their tab. */
const anything: Decoder<object> = (value) => (typeof value === "object" && value !== null ? value : {});

const graphBreak = object<Break>({ at, reason: text, graph_break: text, resume: text });

const node = object<Node>({
  op: text,
  name: text,
  target: text,
  args: text,
  inputs: list(text),
  module: text,
  shape: nullable(list(text)),
  dtype: nullable(text),
  at,
});

const graph = object<Graph>({ id: number, lines: text, ops: number, code: text, nodes: list(node) });

const guard = object<Guard>({ kind: text, source: text, expression: text, at });

const frame = object<Frame>({
  function: text,
  at,
  skipped: flag,
  skip_reason: text,
  breaks: list(graphBreak),
  graphs: list(graph),
  guards: list(guard),
});

const recompile = object<Recompile>({
  at,
  function: text,
  call: number,
  guard: text,
  dimension: text,
  limit_reached: flag,
});

const symbol = object<Symbol_>({ name: text, source: text, range: text, at });

const result = object<FrontendResult>({
  frontend: text,
  outcome: text,
  message: text,
  at,
  counterexample: nullable(object<Counterexample>({ inputs: text, eager: text, got: text, difference: text })),
  perturbed: list(object<FrontendResult["perturbed"][number]>({ change: text, outcome: text, message: text })),
});

const path = object<ExploredPath>({
  decisions: list(object<ExploredPath["decisions"][number]>({ at, value: text })),
  status: text,
  breaks: list(graphBreak),
  graphs: number,
});

const island = object<Island>({
  kind: oneOf("graph", "eager", "skipped"),
  graph: nullable(number),
  function: text,
  label: text,
  uri: text,
  ranges: list(range),
});

const entry = object<Entry>({
  name: text,
  at,
  status: oneOf("ok", "failed", "timeout", "killed"),
  message: text,
  stale: flag,
  probed: number,
  figures: text,
  inputs: list(text),
  frames: list(frame),
  recompiles: list(recompile),
  symbols: list(symbol),
  matrix: list(result),
  paths: list(path),
  timing: nullable(anything),
  kernels: nullable(list(anything)),
  islands: list(island),
});

export const captureView = object<CaptureView>({
  version: oneOf(1),
  uri: text,
  torch: text,
  device: text,
  entries: list(entry),
});
