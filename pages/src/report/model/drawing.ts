/** A graph in the form that the extension's drawing takes. */

import type { Graph as DrawnGraph, Place } from "@vscode-client/protocol";

import type { Graph } from "../data";

export function drawable({ id, lines, ops, nodes }: Graph): DrawnGraph {
  return { id, lines, ops, code: "", nodes: nodes.map(({ path, line, ...node }) => ({ ...node, at: placeOf(path, line) })) };
}

function placeOf(path: string | null, line: number | null): Place | null {
  if (path === null || line === null) return null;
  const position = { line: line - 1, character: 0 };
  return { uri: path, range: { start: position, end: position } };
}
