/** What the server says beyond the standard protocol: the data of the capture view and two notifications. */

export interface Position {
  line: number;
  /** In UTF-16 code units, as everywhere in the protocol. */
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** A place in the text as it is now; for a line, the range covers its text. */
export interface Place {
  uri: string;
  range: Range;
}

/** The answer of `capture-lsp.captureView`: the newest probe of each function of a file. */
export interface CaptureView {
  version: 1;
  uri: string;
  /** The version of PyTorch that probed; empty if nothing was probed. */
  torch: string;
  device: string;
  entries: Entry[];
}

export interface Entry {
  /** The qualified name. */
  name: string;
  at: Place | null;
  status: "ok" | "failed" | "timeout" | "killed";
  message: string;
  stale: boolean;
  /** Seconds since the epoch. */
  probed: number;
  /** As in the code lens: `2 graphs · 1 break · 14 guards`. */
  figures: string;
  inputs: string[];
  frames: Frame[];
  recompiles: Recompile[];
  symbols: Symbol_[];
  matrix: FrontendResult[];
  paths: ExploredPath[];
  timing: object | null;
  kernels: object[] | null;
  islands: Island[];
}

export interface Frame {
  function: string;
  at: Place | null;
  skipped: boolean;
  skip_reason: string;
  breaks: Break[];
  graphs: Graph[];
  guards: Guard[];
}

export interface Break {
  at: Place | null;
  reason: string;
  /** The id in PyTorch's registry of graph breaks. */
  graph_break: string;
  resume: string;
}

export interface Graph {
  id: number;
  /** `model.py:12-18,20` */
  lines: string;
  ops: number;
  code: string;
  nodes: Node[];
}

export interface Node {
  op: string;
  name: string;
  target: string;
  args: string;
  /** Names of the nodes that it reads. */
  inputs: string[];
  /** `layers.0.attn`; empty at the root. */
  module: string;
  shape: string[] | null;
  dtype: string | null;
  at: Place | null;
}

export interface Guard {
  kind: string;
  source: string;
  expression: string;
  at: Place | null;
}

export interface Recompile {
  at: Place | null;
  function: string;
  call: number;
  guard: string;
  dimension: string;
  limit_reached: boolean;
}

export interface Symbol_ {
  name: string;
  source: string;
  range: string;
  at: Place | null;
}

export interface FrontendResult {
  frontend: string;
  outcome: string;
  message: string;
  at: Place | null;
  counterexample: Counterexample | null;
  perturbed: { change: string; outcome: string; message: string }[];
}

export interface Counterexample {
  inputs: string;
  eager: string;
  got: string;
  difference: string;
}

export interface ExploredPath {
  decisions: { at: Place | null; value: string }[];
  status: string;
  breaks: Break[];
  graphs: number;
}

/** Lines that go into one graph, or that none takes. */
export interface Island {
  kind: "graph" | "eager" | "skipped";
  graph: number | null;
  function: string;
  /** `graph 0 · 4 ops`, `runs eagerly: print`, `skipped: …` */
  label: string;
  uri: string;
  /** Whole lines, merged. */
  ranges: Range[];
}

/** Parameters of `capture-lsp/viewChanged`: the view of this file has to be asked for again. */
export interface ViewChanged {
  uri: string;
}

/** Parameters of `capture-lsp/state`. */
export interface ServerState {
  state: "idle" | "analysing" | "probing" | "error";
  message: string;
  torch: string | null;
}

export const VIEW_CHANGED = "capture-lsp/viewChanged";
export const STATE = "capture-lsp/state";
export const CAPTURE_VIEW = "capture-lsp.captureView";
