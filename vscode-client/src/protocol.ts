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
  /** Null where it was not asked for. */
  timing: Timing | null;
  settings: Setting[] | null;
  kernels: Kernel[] | null;
  graph_costs: GraphCost[] | null;
  cudagraphs: Skip[] | null;
  kernel_errors: KernelError[] | null;
  islands: Island[];
}

/** What one call takes. `ratio` is eager to compiled, with its interval: above 1 compiled is faster. */
export interface Timing {
  eager_ms: number | null;
  compiled_ms: number | null;
  ratio: number | null;
  low: number | null;
  high: number | null;
  verdict: Verdict;
  clock: string;
  eager_cpu_ms: number | null;
  compiled_cpu_ms: number | null;
  rounds: number;
  processes: number;
  cold_s: number | null;
  break_even_calls: number | null;
  guards_us: number | null;
  threads: number;
  message: string;
  without: Without[];
}

export type Verdict = "faster" | "slower" | "no difference measured" | "not measured";

/** The program without some of its breaks. `ratio` is eager to this variant; `gain` is as it is to this variant. */
export interface Without {
  breaks: MeasuredBreak[];
  /** `fix`, `answered`, `kept`, `removed` */
  how: string;
  ratio: number | null;
  low: number | null;
  high: number | null;
  /** Of the gain. */
  verdict: Verdict;
  gain: number | null;
  gain_low: number | null;
  gain_high: number | null;
  message: string;
}

export interface MeasuredBreak {
  at: Place | null;
  /** `14`, or `helpers.py:14` of another file. */
  line: string;
}

/** Arguments of `torch.compile` that were tried; empty are the program's own. The fastest comes first. */
export interface Setting {
  arguments: string;
  ratio: number | null;
  low: number | null;
  high: number | null;
  verdict: Verdict;
  cold_s: number | null;
  message: string;
}

/** A generated kernel, or one of a library (`extern`). One of the program's own has no graph. */
export interface Kernel {
  graph: number | null;
  name: string;
  /** `triton`, `cpp`, `extern` */
  language: string;
  source: string;
  /** `model.py:12-18,20` */
  lines: string;
  /** Names of the nodes that it computes. */
  nodes: string[];
  launches: number;
  bytes: number;
  flops: number;
  eager_launches: number;
  eager_bytes: number;
  not_fused_because: NotFused[];
  predicted_us: number | null;
  measured_us: number | null;
  /** `cpu`, or the GPU that it is generated for. */
  target: string;
  /** Whether it could be compiled for the target; null where that was not tried. */
  ptx: boolean | null;
  registers: number | null;
  spills: number | null;
  backward: boolean;
}

/** The name of a kernel, and why it is not one with that. */
export interface NotFused {
  with: string;
  why: string;
}

/** One run of a graph, eagerly and compiled. */
export interface GraphCost {
  graph: number;
  eager_launches: number;
  fused_launches: number;
  eager_bytes: number;
  fused_bytes: number;
  flops: number;
  predicted_ratio: number | null;
  target: string;
  unmapped: Unmapped[];
}

/** A node that no kernel computes. */
export interface Unmapped {
  node: string;
  why: string;
}

/** Why CUDA graphs would not take a graph. */
export interface Skip {
  graph: number;
  reason: string;
  /** The argument, parameter or operation that is the reason. */
  subject: string;
  at: Place | null;
  /** It was not observed on a GPU. */
  predicted: boolean;
}

/** What is wrong with a Triton kernel of the program's own. */
export interface KernelError {
  at: Place | null;
  message: string;
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
