/** The data of the page, field by field as in `capture_lsp/project_report/data.py`.
 *
 * Lines and columns are 1-based, columns in characters, ends exclusive. Words of outcomes, statuses and costs come
 * from Python: here they are only shown. */

export type Captured = "whole" | "parts" | "nothing" | "unknown";

/** A place in a file; `where`: `model.py:12`, or `notes.ipynb:cell 3:4`. */
export interface Place {
  path: string;
  line: number;
  where: string;
}

/** One step of a value's history, or a related place. */
export interface Step {
  text: string;
  at: Place;
}

/** A line of a source; `number`: as it is counted in its file or cell. */
export interface SourceLine {
  number: number;
  text: string;
}

/** The lines of a file that something on the page shows, by their number in the file. */
export interface Source {
  path: string;
  lines: Record<string, SourceLine>;
}

/**
 * What becomes of a finding under one frontend; `status`: what the probe says of that, empty where it said nothing;
 * `in_use`: whether the finding is shown for it.
 */
export interface Judgement {
  frontend: string;
  outcome: string;
  words: string;
  status: string;
  in_use: boolean;
}

/** Lines of a file that a fix replaces. */
export interface Change {
  at: Place;
  removed: string[];
  added: string[];
}

/** A fix that `check --fix` or the editor would apply. */
export interface Fix {
  title: string;
  safety: string;
  changes: Change[];
}

/** What a finding costs: `change`: `1.31× → 1.58×`; `gain` orders, 1 where no difference was measured. */
export interface Cost {
  change: string;
  words: string;
  gain: number;
}

/** A kind of graph break in PyTorch's registry. */
export interface BreakId {
  id: string;
  url: string;
}

/**
 * One finding. `id`: stays when lines move; `outcome`: the worst under the frontends in use; `status`: confirmed,
 * refuted, not_reached or predicted; `mark`: new or known against the baseline, empty without one.
 */
export interface Finding {
  id: string;
  code: string;
  name: string;
  severity: string;
  at: Place;
  column: number;
  end_line: number;
  end_column: number;
  message: string;
  function: string;
  roots: string[];
  count: number;
  outcome: string;
  outcome_words: string;
  status: string;
  status_words: string;
  mark: "new" | "known" | "";
  judgements: Judgement[];
  provenance: Step[];
  related: Step[];
  graph_breaks: BreakId[];
  url: string;
  fixes: Fix[];
  cost: Cost | null;
}

/** A finding of the baseline that no longer occurs. */
export interface Gone {
  code: string;
  path: string;
  function: string;
  expression: string;
}

/** A file that could not be checked, or not wholly. */
export interface Problem {
  at: Place;
  kind: string;
  message: string;
}

/** A node of a graph. */
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

/** How often something occurs. */
export interface Count {
  name: string;
  count: number;
}

/**
 * A captured graph; `lines`: `model.py:12-18,20`. `again`: of a function that was compiled before, for a recompilation.
 * Where it is too large for the page, it has no nodes, and `targets` says what it calls.
 */
export interface Graph {
  id: number;
  again: boolean;
  function: string;
  lines: string;
  ops: number;
  size: number;
  nodes: Node[];
  targets: Count[];
}

/** A graph break of the given calls. */
export interface Break {
  at: Place | null;
  reason: string;
  graph_break: BreakId | null;
  function: string;
}

/** A condition under which a graph is valid; `on_a_value`: on a value of the program's own. */
export interface Guard {
  kind: string;
  source: string;
  expression: string;
  at: Place | null;
  on_a_value: boolean;
}

/** A guard that a later call missed; `call`: counted from 1. */
export interface Recompile {
  at: Place | null;
  function: string;
  call: number;
  guard: string;
  dimension: string;
  limit_reached: boolean;
}

/** A symbolic size. */
export interface Symbol_ {
  name: string;
  source: string;
  range: string;
  at: Place | null;
}

/** What became of a capture with other inputs. */
export interface Perturbed {
  change: string;
  outcome: string;
  words: string;
  message: string;
}

/** Inputs for which a capture gives another result than the program. */
export interface Counterexample {
  inputs: string;
  eager: string;
  got: string;
  difference: string;
}

/** What one frontend did with an entry. */
export interface FrontendResult {
  frontend: string;
  name: string;
  outcome: string;
  words: string;
  message: string;
  others: string;
  at: Place | null;
  counterexample: Counterexample | null;
  perturbed: Perturbed[];
}

/** A path through the decisions on data. */
export interface Explored {
  decisions: Step[];
  status: string;
  breaks: Break[];
  graphs: number;
}

/** The entry as it stands, or without some of its breaks; `ratio`: eager over compiled, with its interval. */
export interface Variant {
  label: string;
  words: string;
  how: string;
  ratio: number | null;
  low: number | null;
  high: number | null;
  message: string;
}

/** What one call takes: `facts` in words, and the variants that were measured. */
export interface Timing {
  facts: string[];
  how: string;
  message: string;
  variants: Variant[];
}

/**
 * A generated kernel, or a library's; `graph`: none of one of the program's own. `source` is left out where there are
 * too many.
 */
export interface Kernel {
  graph: number | null;
  name: string;
  language: string;
  lines: string;
  launches: number;
  eager_launches: number;
  moved: string;
  bytes: number;
  operations: string;
  flops: number;
  time: string;
  compiled: string;
  not_fused: string;
  backward: boolean;
  source: string;
}

/** One run of a graph, eagerly and compiled, in words. */
export interface Fused {
  graph: number;
  words: string;
}

/** Why CUDA graphs would not take a graph, or what is wrong with a kernel of the program's own. */
export interface Remark {
  at: Place | null;
  text: string;
}

/** Lines of one function that go into one graph, or into none; `ranges`: first and last lines. */
export interface Island {
  kind: "graph" | "eager" | "skipped";
  graph: number | null;
  label: string;
  ranges: number[][];
}

/** A function that the probe entered, with its islands. */
export interface Function_ {
  name: string;
  path: string;
  first: number;
  last: number;
  islands: Island[];
  breaks: Step[];
}

/** A captured object, as a probe saw it. `omitted`: what the page leaves out of it, in words. */
export interface Entry {
  id: string;
  name: string;
  target: string;
  at: Place | null;
  captured: Captured;
  captured_words: string;
  figures: string;
  message: string;
  inputs: string[];
  synthesised: boolean;
  torch: string;
  functions: Function_[];
  graphs: Graph[];
  breaks: Break[];
  eager: Remark[];
  guards: Guard[];
  guard_kinds: Count[];
  recompiles: Recompile[];
  symbols: Symbol_[];
  matrix: FrontendResult[];
  paths: Explored[];
  timing: Timing | null;
  fused: Fused[];
  kernels: Kernel[];
  cudagraphs: Remark[];
  kernel_errors: Remark[];
  omitted: string[];
}

/** A frontend that some finding is shown for; `name`: as people write it. */
export interface Column {
  frontend: string;
  name: string;
}

/** How many findings have an outcome under each frontend; those that the probe refuted are not counted. */
export interface OutcomeRow {
  outcome: string;
  words: string;
  counts: number[];
}

/** The finding that costs most. */
export interface Costly {
  finding: string;
  where: string;
  words: string;
}

/**
 * What stands at the top. `new`, `known`, `gone`: against the baseline, None without one; `entries`: by how much was
 * captured, None without a probe.
 */
export interface Summary {
  files: number;
  findings: number;
  refuted: number;
  severities: Count[];
  statuses: Count[];
  columns: Column[];
  outcomes: OutcomeRow[];
  new: number | null;
  known: number | null;
  gone: number | null;
  baseline: string;
  entries: Count[] | null;
  costly: Costly | null;
}

/**
 * One run, as a line of the history. `kinds`: findings by outcome; `breaks` to `whole`: None where nothing was
 * probed.
 */
export interface Row {
  date: string;
  commit: string;
  torch: string;
  findings: number;
  kinds: Record<string, number>;
  frontends: Record<string, number>;
  breaks: number | null;
  graphs: number | null;
  recompiles: number | null;
  entries: number | null;
  whole: number | null;
}

/**
 * All of the page. `probed`: `torch 2.13.0 (cpu)`, for each interpreter that probed; `outcome_words`: by outcome, for
 * the history; `notes`: what the run has to say of itself.
 */
export interface Data {
  version: 1;
  project: string;
  date: string;
  commit: string;
  made_by: string;
  torch: string;
  probed: string[];
  measured: boolean;
  summary: Summary;
  findings: Finding[];
  gone: Gone[];
  problems: Problem[];
  entries: Entry[];
  history: Row[];
  outcome_words: Record<string, string>;
  frontend_names: Record<string, string>;
  sources: Source[];
  notes: string[];
}
