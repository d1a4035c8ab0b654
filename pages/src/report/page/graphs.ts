/** The graphs of an entry; the drawing is made when one is looked at. */

import { GraphView } from "@view/page/graph";
import type { GraphState } from "@view/page/state";

import { el } from "../../common/dom";
import type { Entry, Graph } from "../data";
import { drawable } from "../model/drawing";
import { counted } from "../model/words";
import { later } from "./parts";

const FRESH: GraphState = { open: null, camera: null, selected: null };

/** `reveal`: a node was chosen, and its line is to be shown. */
export function graphs({ graphs: all }: Entry, reveal: (path: string, line: number) => void): HTMLElement {
  return el("div", { class: "graphs" }, ...all.map((one) => later(heading(one), () => [one.nodes.length > 0 ? drawing(one, reveal) : summarised(one)], { class: "graph" }).details));
}

function heading({ id, again, function: inside, ops, size, lines }: Graph): HTMLElement {
  return el(
    "span",
    { class: "graph-head" },
    el("strong", { text: `graph ${id}` }),
    el("span", { class: "note", text: ` ${[inside, again ? "compiled again" : "", counted(ops, "op"), counted(size, "node"), lines].filter(Boolean).join(" · ")}` }),
  );
}

function drawing(graph: Graph, reveal: (path: string, line: number) => void): HTMLElement {
  const drawn = drawable(graph);
  let state = FRESH;
  const view = new GraphView({
    onState: (next) => (state = next),
    onParameters: (parameters) => view.show(drawn, state, parameters),
    onReveal: (name) => {
      const node = graph.nodes.find((one) => one.name === name);
      if (node?.path != null && node.line !== null) reveal(node.path, node.line);
    },
  });
  view.show(drawn, state, false);
  return view.element;
}

function summarised({ targets }: Graph): HTMLElement {
  return el(
    "div",
    {},
    el("p", { class: "note", text: "The nodes are left out of the report. What the graph calls:" }),
    el("ul", { class: "targets" }, ...targets.map(({ name, count }) => el("li", {}, el("code", { text: name }), ` ${count}×`))),
  );
}
