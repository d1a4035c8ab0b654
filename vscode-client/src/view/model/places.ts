import type { CaptureView, Place } from "../../protocol";

/** The files that a view names: it can lead to these and no others. */
export function urisOf(view: CaptureView): Set<string> {
  const uris = new Set([view.uri]);
  const add = (at: Place | null): void => {
    if (at !== null) uris.add(at.uri);
  };
  for (const entry of view.entries) {
    add(entry.at);
    for (const frame of entry.frames) {
      add(frame.at);
      for (const one of [...frame.breaks, ...frame.guards]) add(one.at);
      for (const graph of frame.graphs) for (const node of graph.nodes) add(node.at);
    }
    for (const one of [...entry.recompiles, ...entry.symbols, ...entry.matrix]) add(one.at);
    for (const path of entry.paths) for (const one of [...path.decisions, ...path.breaks]) add(one.at);
    for (const one of [...(entry.cudagraphs ?? []), ...(entry.kernel_errors ?? [])]) add(one.at);
    for (const one of entry.timing?.without ?? []) for (const { at } of one.breaks) add(at);
    for (const island of entry.islands) uris.add(island.uri);
  }
  return uris;
}

/** A place's line as the editor counts: a number in the file of the view, `other.py:18` elsewhere. */
export function lineText(at: Place | null, uri: string): string | number {
  if (at === null) return "";
  const line = at.range.start.line + 1;
  return at.uri === uri ? line : `${nameOf(at.uri)}:${line}`;
}

/** The last part of a file's path. */
export function nameOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
