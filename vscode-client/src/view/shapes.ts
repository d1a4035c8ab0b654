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
  GraphCost,
  Guard,
  Island,
  Kernel,
  KernelError,
  MeasuredBreak,
  Node,
  NotFused,
  Place,
  Position,
  Range,
  Recompile,
  Setting,
  Skip,
  Symbol_,
  Timing,
  Unmapped,
  Without,
} from "../protocol";
import { flag, list, nullable, number, object, oneOf, optional, text } from "./decode";

const position = object<Position>({ line: number, character: number });

export const range = object<Range>({ start: position, end: position });

export const place = object<Place>({ uri: text, range });

const at = nullable(place);

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

const verdict = oneOf("faster", "slower", "no difference measured", "not measured");
const figure = nullable(number);

const without = object<Without>({
  breaks: list(object<MeasuredBreak>({ at, line: text })),
  how: text,
  ratio: figure,
  low: figure,
  high: figure,
  verdict,
  gain: figure,
  gain_low: figure,
  gain_high: figure,
  message: text,
});

const timing = object<Timing>({
  eager_ms: figure,
  compiled_ms: figure,
  ratio: figure,
  low: figure,
  high: figure,
  verdict,
  clock: text,
  eager_cpu_ms: figure,
  compiled_cpu_ms: figure,
  rounds: number,
  processes: number,
  cold_s: figure,
  break_even_calls: figure,
  guards_us: figure,
  threads: number,
  message: text,
  without: list(without),
});

const setting = object<Setting>({
  arguments: text,
  ratio: figure,
  low: figure,
  high: figure,
  verdict,
  cold_s: figure,
  message: text,
});

const kernel = object<Kernel>({
  graph: figure,
  name: text,
  language: text,
  source: text,
  lines: text,
  nodes: list(text),
  launches: number,
  bytes: number,
  flops: number,
  eager_launches: number,
  eager_bytes: number,
  not_fused_because: list(object<NotFused>({ with: text, why: text })),
  predicted_us: figure,
  measured_us: figure,
  target: text,
  ptx: nullable(flag),
  registers: figure,
  spills: figure,
  backward: flag,
});

const graphCost = object<GraphCost>({
  graph: number,
  eager_launches: number,
  fused_launches: number,
  eager_bytes: number,
  fused_bytes: number,
  flops: number,
  predicted_ratio: figure,
  target: text,
  unmapped: list(object<Unmapped>({ node: text, why: text })),
});

const skip = object<Skip>({ graph: number, reason: text, subject: text, at, predicted: flag });

const kernelError = object<KernelError>({ at, message: text });

/** The kernels of an entry as the server told it; none where they have another form. */
export function kernelsOf(entry: Entry): Kernel[] {
  return optional(list(kernel))(entry.kernels, "") ?? [];
}

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
  timing: optional(timing),
  settings: optional(list(setting)),
  kernels: optional(list(kernel)),
  graph_costs: optional(list(graphCost)),
  cudagraphs: optional(list(skip)),
  kernel_errors: optional(list(kernelError)),
  islands: list(island),
});

export const captureView = object<CaptureView>({
  version: oneOf(1),
  uri: text,
  torch: text,
  device: text,
  entries: list(entry),
});
