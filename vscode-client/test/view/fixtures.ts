import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import type { CaptureView, Entry, Graph } from "../../src/protocol";

/** What the server said of a real probe; `test/fixtures/make.mjs` makes these. */
export function view(name: "gated_scorer" | "detector" | "deep" | "measured"): CaptureView {
  return JSON.parse(gunzipSync(readFileSync(`test/fixtures/${name}.json.gz`)).toString()) as CaptureView;
}

export function entryOf(view: CaptureView, name: string): Entry {
  const found = view.entries.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`no entry ${name}`);
  return found;
}

export function firstGraph(view: CaptureView): Graph {
  const graph = view.entries[0]?.frames[0]?.graphs[0];
  if (graph === undefined) throw new Error("no graph");
  return graph;
}
