/** What the frames of an entry hold together. */

import type { Break, Entry, Graph, Guard } from "../../protocol";

export interface GraphOfEntry {
  readonly graph: Graph;
  readonly frame: number;
}

/** In order; the position is what a selection remembers. */
export function graphsOf(entry: Entry): GraphOfEntry[] {
  return entry.frames.flatMap(({ graphs }, frame) => graphs.map((graph) => ({ graph, frame })));
}

export function guardsOf(entry: Entry, frame: number | null): Guard[] {
  return frame === null ? entry.frames.flatMap(({ guards }) => guards) : (entry.frames[frame]?.guards ?? []);
}

/** A break that each compilation of a function meets is one. */
export function dedupedBreaks(entry: Entry): Break[] {
  const found = new Map<string, Break>();
  for (const one of entry.frames.flatMap(({ breaks }) => breaks)) {
    const key = JSON.stringify([one.at, one.reason]);
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

/** The node that a line of a graph's code computes: the name before its first `=`. */
export function nodeOfCodeLine(line: string): string | null {
  return /^\s+([A-Za-z_]\w*) = /.exec(line)?.[1] ?? null;
}
