/** A graph in the form that the extension's drawing takes. */

import type { Graph as DrawnGraph, Place } from "@vscode-client/protocol";

import type { Graph, Node } from "../../protocol";

export function drawable(graph: Graph): DrawnGraph {
  return {
    id: graph.id,
    lines: Object.values(graph.lines).join(", "),
    ops: graph.nodes.length,
    code: graph.code,
    nodes: graph.nodes.map(({ path, line, ...node }) => ({ ...node, at: placeOf(path, line) })),
  };
}

function placeOf(path: Node["path"], line: Node["line"]): Place | null {
  if (path === null || line === null) return null;
  const position = { line: line - 1, character: 0 };
  return { uri: path, range: { start: position, end: position } };
}
