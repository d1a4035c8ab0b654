/** The drawn graph, and the graphs' code. */

import { GraphView } from "@view/page/graph";
import type { GraphState } from "@view/page/state";

import { el } from "../../common/dom";
import type { Call, Graph, Run } from "../../protocol";
import { drawable } from "../model/drawing";
import { counted } from "../model/figures";
import { type Choice, radios } from "./radios";

/** Larger graphs are laid out when the browser has nothing else to do. */
const AT_ONCE = 60;

export interface GraphPane {
  readonly drawing: HTMLElement;
  readonly code: HTMLElement;
  readonly show: (run: Run | null, call: Call | null, tab: "graph" | "code" | null) => void;
  /** Marks the nodes of a line of the program. */
  readonly highlight: (path: string, line: number | null) => void;
}

const FRESH: GraphState = { open: null, camera: null, selected: null };

export function graphPane(path: string, onLine: (line: number) => void): GraphPane {
  let run: Run | null = null;
  let call: Call | null = null;
  let tab: "graph" | "code" | null = null;
  let chosen: number | null = null;
  let parameters = false;
  const states = new Map<string, GraphState>();
  let waiting = 0;

  const current = (): Graph | null => run?.graphs.find(({ id }) => id === chosen) ?? null;
  const stateKey = (): string => `${JSON.stringify(run?.request)}#${chosen ?? ""}`;
  const view = new GraphView({
    onState: (state) => states.set(stateKey(), state),
    onParameters: (shown) => {
      parameters = shown;
      draw();
    },
    onReveal: (node) => {
      const at = current()?.nodes.find(({ name }) => name === node);
      if (at?.line != null && at.path === path) onLine(at.line);
    },
  });
  const choose = (value: string): void => {
    chosen = value === WHOLE_CODE ? null : Number(value);
    render();
  };
  const pickers = { graph: radios("graph-drawn", "Graph", choose, PICKER), code: radios("graph-code", "Code of", choose, PICKER) };
  const empty = el("p", { class: "note empty" });
  const busy = el("p", { class: "note empty", text: "Laying out the graph …", attributes: { role: "status" } });
  const drawing = el("div", { class: "graph-pane", attributes: { "data-part": "graph" } }, pickers.graph.element, empty, busy, view.element);
  const listing = el("pre", { class: "listing", attributes: { tabindex: 0, role: "region", "aria-label": "Code of the graph" } });
  const code = el("div", { class: "code-pane", attributes: { "data-part": "code" } }, pickers.code.element, listing);

  const draw = (): void => {
    const graph = current();
    if (graph === null) return;
    view.show(drawable(graph), states.get(stateKey()) ?? FRESH, parameters);
    drawing.dataset.drawn = String(graph.id);
  };
  const drawInIdleTime = (): void => {
    cancelIdle(waiting);
    const graph = current();
    empty.hidden = graph !== null;
    busy.hidden = true;
    view.element.hidden = graph === null;
    if (graph === null) {
      empty.textContent = run === null ? "No run is shown." : "There is no graph: nothing was captured in this call.";
      return;
    }
    if (graph.nodes.length <= AT_ONCE) {
      draw();
      return;
    }
    busy.hidden = false;
    view.element.hidden = true;
    waiting = whenIdle(() => {
      busy.hidden = true;
      view.element.hidden = false;
      draw();
    });
  };
  const render = (): void => {
    if (tab === null) return;
    const graphs = run?.graphs ?? [];
    const there = call?.graphs ?? graphs.length;
    const ran = new Set(call?.events.map(({ graph }) => graph));
    const choices = graphs.map(({ id, nodes }, index): Choice => ({
      value: String(id),
      text: `${id}`,
      content: el("span", { class: "note", text: `${counted(nodes.length, "node")}${index >= there ? ", later" : ran.has(id) ? ", ran" : ""}` }),
      data: { graph: String(id) },
    }));
    if (tab === "graph") {
      if (current() === null) chosen = graphs[0]?.id ?? null;
      pickers.graph.element.hidden = graphs.length < 2;
      pickers.graph.show(choices, String(chosen));
      drawInIdleTime();
      return;
    }
    const own = run !== null && run.code !== "" ? [{ value: WHOLE_CODE, text: "as captured" }] : [];
    const all = [...own, ...choices];
    if (current() === null && own.length === 0) chosen = graphs[0]?.id ?? null;
    pickers.code.element.hidden = all.length < 2;
    pickers.code.show(all, chosen === null ? WHOLE_CODE : String(chosen));
    listing.textContent = (chosen === null ? run?.code : current()?.code) ?? "";
    if (listing.textContent === "") listing.textContent = "No code: nothing was captured.";
  };
  return {
    drawing,
    code,
    show: (nextRun, nextCall, nextTab) => {
      if (nextRun !== run || nextCall !== call) {
        const ran = nextCall?.events.map(({ graph }) => graph).find((graph) => graph !== null);
        if (ran !== undefined) chosen = ran;
      }
      run = nextRun;
      call = nextCall;
      tab = nextTab;
      render();
    },
    highlight: (of, line) => {
      const names = current()?.nodes.filter((node) => node.path === of && node.line === line).map(({ name }) => name) ?? [];
      if (tab === "graph") view.highlight(names, true);
    },
  };
}

const WHOLE_CODE = "whole";
const PICKER = { class: "radios picker", "data-control": "graph" };

function whenIdle(act: () => void): number {
  // Not in every browser.
  if (!("requestIdleCallback" in window)) return setTimeout(act, 30) as unknown as number;
  return requestIdleCallback(act, { timeout: 500 });
}

function cancelIdle(handle: number): void {
  if ("cancelIdleCallback" in window) cancelIdleCallback(handle);
  else clearTimeout(handle);
}
