/** The data of the simulator, field by field as in `runtime_probe/simulation.py` and `runtime_probe/report.py`. */

export type Frontend = "eager" | "trace" | "fx" | "script" | "dynamo" | "fullgraph" | "export";
export type EventKind =
  | "eager"
  | "capture"
  | "compile"
  | "hit"
  | "recompile"
  | "break"
  | "skip"
  | "limit"
  | "refused"
  | "error";
export type Answer = "right" | "wrong" | "error" | "refused";
export type Branches = "kept" | "lost" | "same way" | "none" | "refused";
export type Extent = "whole" | "parts" | "nothing" | "refused" | "eager";

/** A conditional jump. Positions are 1-based, columns in characters, ends exclusive. */
export interface Decision {
  path: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  /** The source of its test. */
  text: string;
}

/** One set of values. */
export interface Inputs {
  name: string;
  /** Per decision: `True`, `False`, `True, False, True` of several visits, or empty where it was not reached. */
  ways: string[];
}

export interface Size {
  /** `x.shape[0]` */
  name: string;
  given: number;
  /** Sorted, `given` among them. */
  values: number[];
}

export interface Number_ {
  name: string;
  given: string;
  values: string[];
}

/** What can be varied. The first of `inputs`, `dtypes` and `modes` is as given; no modes where there is no module. */
export interface Controls {
  decisions: Decision[];
  inputs: Inputs[];
  sizes: Size[];
  numbers: Number_[];
  dtypes: string[];
  modes: string[];
  frontends: Frontend[];
}

/** One choice of each control, by index. */
export interface Combination {
  inputs: number;
  sizes: number[];
  numbers: number[];
  dtype: number;
  mode: number;
}

/** The first call captures, each later one is a call of the same captured object. */
export interface Request {
  frontend: Frontend;
  calls: Combination[];
}

export interface Event {
  kind: EventKind;
  text: string;
  line: number | null;
  graph: number | null;
}

/** A value read on the host while capturing, which the capture holds as a constant. */
export interface Frozen {
  line: number;
  what: string;
  kind: string;
  captured: string;
  now: string;
  differs: boolean;
}

export interface Call {
  combination: Combination;
  events: Event[];
  answer: Answer;
  difference: string;
  largest: number | null;
  eager: string;
  got: string;
  branches: Branches;
  ways: string[];
  captured_ways: string[];
  /** `3-5,7`: lines that eager runs in this call. */
  lines: string;
  /** Those of them that the one path in the capture does not hold. */
  missed: string;
  recompiles: Recompile[];
  limit: boolean;
  /** So far. */
  graphs: number;
  breaks: number;
  frozen: Frozen[];
  explanation: string;
}

export interface Run {
  request: Request;
  captured: Extent;
  message: string;
  line: number | null;
  graphs: Graph[];
  guards: Guard[];
  breaks: Break[];
  symbols: Symbol_[];
  code: string;
  calls: Call[];
}

export interface Survey {
  controls: Controls;
  source: string;
  path: string;
  entry: string;
  inputs_text: string;
}

export interface Cause {
  path: string;
  line: number;
  text: string;
  graph_break: string | null;
}

export interface StackEntry {
  path: string;
  line: number;
  function: string;
}

export interface Break {
  path: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  reason: string;
  graph_break: string | null;
  cause: Cause | null;
  stack: StackEntry[];
  resume: string | null;
}

export interface Node {
  op: string;
  name: string;
  target: string;
  args: string;
  inputs: string[];
  module: string;
  shape: string[] | null;
  dtype: string | null;
  path: string | null;
  line: number | null;
}

export interface Graph {
  id: number;
  /** Path → `12-18,20`: the lines that nodes came from. */
  lines: Record<string, string>;
  /** All lines that were evaluated on the way to it. */
  evaluated: Record<string, string>;
  code: string;
  nodes: Node[];
}

export interface Guard {
  kind: string;
  source: string;
  expression: string;
  path: string | null;
  line: number | null;
}

export interface Recompile {
  path: string;
  line: number;
  function: string;
  call: number;
  guard: string;
  dimension: string | null;
  limit_reached: boolean;
}

export interface Symbol_ {
  name: string;
  source: string;
  range: string;
  path: string | null;
  line: number | null;
}

/** Another program of a gallery. */
export interface GalleryItem {
  name: string;
  title: string;
}

/** What Python writes into the page, with the references to shared parts resolved. */
export interface PageData {
  survey: Survey | null;
  runs: Run[];
  /** Whether a server answers `api/run`. */
  live: boolean;
  title: string;
  /** Paragraphs with a blank line between them. */
  teaching: string;
  gallery: GalleryItem[];
  /** The version of PyTorch that ran the program. */
  torch: string | null;
  /** What to type to run it with other inputs than are recorded. */
  command: string | null;
  /** What a page without a server holds, in one sentence. */
  recorded: string | null;
  /** The probe made the given inputs up. */
  made_up: boolean | null;
}

/** What `api/run` answers instead of a run. */
export interface RunError {
  error: string;
  /** A newer request took its place. */
  superseded: boolean | null;
  /** The program is no longer the one that the page shows. */
  changed: boolean | null;
}
