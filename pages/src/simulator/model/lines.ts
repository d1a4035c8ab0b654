/** Lines of the source: sets written as `3-5,7`, and which graph they went into. */

import type { Call, Graph, Run } from "../../protocol";

/** The numbers in `3-5,7`; what is not of that form is left out. */
export function linesIn(text: string): Set<number> {
  const lines = new Set<number>();
  for (const part of text.split(",")) {
    const found = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part);
    if (found === null) continue;
    const start = Number(found[1]);
    const end = Number(found[2] ?? found[1]);
    for (let line = start; line <= end; line++) lines.add(line);
  }
  return lines;
}

/** One graph's part of the source. */
export interface Band {
  readonly graph: number;
  /** Which stripe, colour and pattern it has: bands that run at once differ in it. */
  readonly lane: number;
  /** Lines that nodes came from. */
  readonly nodes: ReadonlySet<number>;
  /** Lines that were evaluated on the way, those of `nodes` included. */
  readonly all: ReadonlySet<number>;
}

/** The graphs that took part in a call; all that were there if its events name none, and none if it ran eagerly. */
export function graphsOf(run: Run, call: Call | null): Graph[] {
  if (call === null) return run.graphs;
  if (ranEagerly(call)) return [];
  const named = new Set(call.events.map(({ graph }) => graph).filter((graph) => graph !== null));
  return named.size === 0 ? run.graphs.slice(0, call.graphs) : run.graphs.filter(({ id }) => named.has(id));
}

/** No graph had a part in the call. */
export function ranEagerly({ events }: Call): boolean {
  const kinds = new Set(events.map(({ kind }) => kind));
  return kinds.has("eager") && !["capture", "compile", "hit"].some((kind) => kinds.has(kind as Call["events"][number]["kind"]));
}

export function bandsOf(run: Run, call: Call | null, path: string): Band[] {
  return graphsOf(run, call).map((graph, lane) => {
    const nodes = linesIn(ofPath(graph.lines, path));
    return { graph: graph.id, lane, nodes, all: new Set([...nodes, ...linesIn(ofPath(graph.evaluated, path))]) };
  });
}

function ofPath(lines: Readonly<Record<string, string>>, path: string): string {
  return lines[path] ?? "";
}
