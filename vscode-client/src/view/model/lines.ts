/** From a line of the source to what was captured there. */

import type { CaptureView, Entry, Graph, Place } from "../../protocol";

export interface Line {
  readonly uri: string;
  readonly line: number;
}

export function isOn(at: Place | null, { uri, line }: Line): boolean {
  return at?.uri === uri && at.range.start.line <= line && line <= at.range.end.line;
}

/** The names of the nodes of a line, in the order of the graph. */
export function nodesOn(graph: Graph, line: Line): string[] {
  return graph.nodes.filter((node) => isOn(node.at, line)).map((node) => node.name);
}

/** The captured function around a line: whose islands hold it, or else the last one that begins before it. */
export function entryAround(view: CaptureView, line: Line): Entry | null {
  const inIslands = view.entries.find((entry) =>
    entry.islands.some(({ uri, ranges }) => ranges.some((range) => isOn({ uri, range }, line))),
  );
  if (inIslands !== undefined) return inIslands;
  const before = view.entries
    .filter((entry) => entry.at?.uri === line.uri && entry.at.range.start.line <= line.line)
    .sort((one, other) => startOf(other) - startOf(one));
  return before[0] ?? null;
}

function startOf(entry: Entry): number {
  return entry.at?.range.start.line ?? -1;
}
