/** Words for what the probe reports in identifiers. */

export type Tone = "good" | "poor" | "bad" | "quiet";

export interface Worded {
  readonly symbol: string;
  readonly words: string;
  readonly tone: Tone;
}

const OUTCOMES: Record<string, Worded> = {
  captured: { symbol: "✓", words: "ok", tone: "good" },
  guarded: { symbol: "✓", words: "guards", tone: "good" },
  recompiles: { symbol: "↻", words: "recompiles", tone: "poor" },
  graph_break: { symbol: "‖", words: "breaks the graph", tone: "poor" },
  skipped_frame: { symbol: "▷", words: "runs eagerly", tone: "bad" },
  refused: { symbol: "✕", words: "refuses", tone: "bad" },
  silently_wrong: { symbol: "≠", words: "silently wrong", tone: "bad" },
  unknown: { symbol: "?", words: "unknown", tone: "quiet" },
};

export function outcomeOf(outcome: string): Worded {
  return OUTCOMES[outcome] ?? { symbol: "•", words: outcome.replaceAll("_", " "), tone: "quiet" };
}

const FRONTENDS: Record<string, string> = {
  dynamo: "torch.compile",
  fullgraph: "torch.compile(fullgraph=True)",
  trace: "torch.jit.trace",
  fx: "torch.fx.symbolic_trace",
  script: "torch.jit.script",
  export: "torch.export",
};

export function frontendName(frontend: string): string {
  return FRONTENDS[frontend] ?? frontend;
}
