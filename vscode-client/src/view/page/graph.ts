/** The drawing of one FX graph. */

import type { Graph } from "../../protocol";
import {
  closed,
  type Foldable,
  foldable,
  type Folded,
  folded,
  MOST_DRAWN,
  openAtFirst,
  opened,
} from "../model/fold";
import { type Box, type Layout, layoutOf, type Line, PADDING } from "../model/layout";
import { type Direction, neighbour } from "../model/neighbours";
import { type Kind, KIND_WORDS, kindOf, typeOf } from "../model/nodes";
import { controlled, fitting, showing, zoomedByStep } from "./camera";
import { button, el, svg } from "./dom";
import type { Camera, GraphState } from "./state";

export interface GraphOptions {
  readonly onState: (state: GraphState) => void;
  readonly onParameters: (parameters: boolean) => void;
  /** A node was chosen: its line is to be shown. */
  readonly onReveal: (node: string, focus: boolean) => void;
}

const ARROWS: Record<string, Direction> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

/** Made once and shown again and again: the drawing changes only if the graph does. */
export class GraphView {
  readonly element: HTMLElement;
  private readonly drawing = svg("svg", {
    class: "drawing",
    key: "drawing",
    attributes: { tabindex: 0, role: "group", "aria-label": "FX graph; Tab leads to its nodes" },
  });
  private readonly camera = svg("g");
  private readonly details = el("div", { class: "details", attributes: { "aria-live": "polite" } });
  private readonly legend = el("div", { class: "legend", attributes: { "aria-label": "Kinds of nodes" } });
  private readonly parameters = el("input", { key: "graph:parameters", attributes: { type: "checkbox" } });
  private readonly foldAll: HTMLButtonElement;
  private readonly elements = new Map<string, SVGGElement>();

  private graph: Graph | null = null;
  private shape = "";
  private tree: Foldable | null = null;
  private fold: Folded | null = null;
  private layout: Layout | null = null;
  private state: GraphState = { open: null, camera: null, selected: null };
  private highlighted: ReadonlySet<string> = new Set();

  constructor(private readonly options: GraphOptions) {
    const { drawing } = this;
    drawing.append(
      svg("defs", {}, arrowhead("arrow"), arrowhead("arrow-near")),
      this.camera,
    );
    controlled(drawing, () => this.viewpoint, (camera) => this.look(camera), () => this.fit());
    drawing.addEventListener("keydown", (event) => this.press(event));
    this.parameters.addEventListener("change", () => options.onParameters(this.parameters.checked));
    this.foldAll = button("Fold", () => this.openGroups([]), { key: "graph:fold", title: "Close all groups" });
    const tools = el(
      "div",
      { class: "tools", attributes: { role: "toolbar", "aria-label": "Graph" } },
      button("−", () => this.step(false), { key: "graph:out", title: "Zoom out (-)", attributes: { "aria-label": "Zoom out" } }),
      button("+", () => this.step(true), { key: "graph:in", title: "Zoom in (+)", attributes: { "aria-label": "Zoom in" } }),
      button("Fit", () => this.fit(), { key: "graph:fit", title: "Fit into the panel (0)" }),
      this.foldAll,
      el("label", { title: "Show parameters and buffers as nodes" }, this.parameters, " Parameters"),
      this.legend,
    );
    this.element = el("div", { class: "graph-view" }, tools, drawing, this.details);
    new ResizeObserver(() => {
      if (this.state.camera === null) this.apply();
    }).observe(drawing);
  }

  show(graph: Graph, state: GraphState, parameters: boolean): void {
    const shape = JSON.stringify([parameters, graph.id, graph.nodes.map((node) => [node.op, node.name, node.target, node.inputs, node.module, node.shape, node.dtype])]);
    const same = shape === this.shape && JSON.stringify(state.open) === JSON.stringify(this.state.open);
    this.graph = graph;
    this.state = state;
    this.parameters.checked = parameters;
    if (!same) {
      this.shape = shape;
      this.tree = foldable(graph, parameters);
      this.draw();
    }
    this.apply();
    this.mark();
  }

  /** Marks the nodes of a line; `follow`: the first comes into sight unless the reader chose one of them. */
  highlight(names: readonly string[], follow: boolean): void {
    const ids = names.map((name) => this.fold?.standsFor.get(name)).filter((id) => id !== undefined);
    this.highlighted = new Set(ids);
    this.mark();
    const first = ids[0];
    if (!follow || first === undefined || (this.state.selected !== null && this.highlighted.has(this.state.selected))) return;
    this.bringIntoSight(first);
  }

  focusNode(): void {
    this.elements.get(this.tabStop() ?? "")?.focus();
  }

  private get open(): readonly string[] {
    if (this.tree === null) return [];
    return this.state.open ?? openAtFirst(this.tree);
  }

  private get size(): { width: number; height: number } {
    return { width: this.drawing.clientWidth, height: this.drawing.clientHeight };
  }

  private get viewpoint(): Camera {
    if (this.state.camera !== null) return this.state.camera;
    const first = this.layout?.boxes[0];
    return fitting(this.layout ?? { width: 0, height: 0 }, this.size, first === undefined ? 0 : first.x + first.width / 2);
  }

  private draw(): void {
    const { tree } = this;
    if (tree === null) return;
    this.fold = folded(tree, this.open);
    this.layout = layoutOf(this.fold);
    this.elements.clear();
    this.camera.replaceChildren(
      svg("g", {}, ...this.layout.frames.map((box) => this.frame(box))),
      svg("g", { attributes: { "aria-hidden": true } }, ...this.layout.lines.map(line)),
      svg("g", {}, ...this.layout.boxes.map((box) => this.box(box))),
    );
    this.foldAll.hidden = tree.groups.size === 0;
    const kinds = new Set(this.layout.boxes.map(({ kind }) => kind));
    this.legend.replaceChildren(
      ...(Object.keys(KIND_WORDS) as Kind[])
        .filter((kind) => kinds.has(kind))
        .map((kind) => el("span", { class: `swatch ${kind}`, text: KIND_WORDS[kind] })),
    );
  }

  private box(box: Box): SVGGElement {
    const group = box.drawn.group;
    const element = svg(
      "g",
      {
        class: `node ${box.kind}`,
        key: `node:${box.id}`,
        attributes: {
          role: "button",
          tabindex: -1,
          transform: `translate(${box.x} ${box.y})`,
          "aria-label": this.spoken(box),
          ...(group === null ? {} : { "aria-expanded": false }),
        },
        on: { click: () => this.choose(box.id, false), focus: () => this.focused(box.id) },
      },
      group === null ? null : svg("rect", { class: "behind", attributes: { x: 4, y: 4, rx: 5, width: box.width, height: box.height } }),
      svg("rect", { class: "body", attributes: { rx: 5, width: box.width, height: box.height } }),
      svg("rect", { class: "bar", attributes: { x: 1, y: 5, rx: 1.5, width: 3, height: box.height - 10 } }),
      svg("text", { class: "label", text: box.label, attributes: { x: PADDING, y: 17 } }),
      " ", // The text read as a whole is words, too.
      box.detail === "" ? null : svg("text", { class: "detail", text: box.detail, attributes: { x: PADDING, y: 33 } }),
      svg("title", { text: this.tooltip(box) }),
    );
    this.elements.set(box.id, element);
    return element;
  }

  private frame(box: Box): SVGGElement {
    const element = svg(
      "g",
      {
        class: "frame",
        key: `node:${box.id}`,
        attributes: {
          role: "button",
          tabindex: -1,
          transform: `translate(${box.x} ${box.y})`,
          "aria-label": `${box.label}, ${box.detail}, open`,
          "aria-expanded": true,
        },
        on: { click: () => this.choose(box.id, false) },
      },
      svg("rect", { class: "around", attributes: { rx: 6, width: box.width, height: box.height } }),
      svg("text", { class: "label", text: `▾ ${box.label}`, attributes: { x: 8, y: 15 } }),
      svg("title", { text: `${box.drawn.group?.label ?? ""}: ${box.detail}. Click to fold.` }),
    );
    this.elements.set(box.id, element);
    return element;
  }

  private spoken({ label, detail, kind, drawn: { node } }: Box): string {
    const line = node?.at == null ? "" : `line ${node.at.range.start.line + 1}`;
    return [label, detail, KIND_WORDS[kind], line].filter(Boolean).join(", ");
  }

  private tooltip({ drawn: { node, group }, detail }: Box): string {
    if (node === null) return `${group?.label ?? ""}: ${detail}. Click to open.`;
    return [`${node.name} = ${node.target}`, typeOf(node), node.module].filter(Boolean).join("\n");
  }

  /** A node: its line is shown. A group: it opens or closes. */
  private choose(id: string, focus: boolean): void {
    const { tree } = this;
    if (tree === null) return;
    if (tree.groups.has(id)) {
      const open = this.open.includes(id) ? closed(tree, this.open, id) : opened(tree, this.open, id);
      this.openGroups(open, id);
      return;
    }
    this.select(id);
    this.elements.get(id)?.focus({ preventScroll: true });
    const name = this.layout?.boxes.find((box) => box.id === id)?.drawn.node?.name;
    if (name !== undefined) this.options.onReveal(name, focus);
  }

  /** `around`: what stays where it is on the screen. */
  private openGroups(open: readonly string[], around: string | null = null): void {
    const before = this.areaOf(around);
    const camera = this.viewpoint;
    this.state = { ...this.state, open: [...open], camera };
    this.draw();
    const after = this.areaOf(around);
    if (before !== null && after !== null) {
      camera.x += (before.x + before.width / 2 - after.x - after.width / 2) * camera.zoom;
      camera.y += (before.y - after.y) * camera.zoom;
    } else {
      this.state.camera = null;
    }
    this.select(around);
    this.apply();
    if (around !== null) this.elements.get(around)?.focus({ preventScroll: true });
  }

  private areaOf(id: string | null): Box | null {
    if (id === null || this.layout === null) return null;
    return [...this.layout.boxes, ...this.layout.frames].find((box) => box.id === id) ?? null;
  }

  private focused(id: string): void {
    this.select(id);
    // Under the mouse nothing may move between press and release: it would be no click.
    if (this.elements.get(id)?.matches(":focus-visible")) this.bringIntoSight(id);
  }

  private select(id: string | null): void {
    this.state = { ...this.state, selected: id };
    this.options.onState(this.state);
    this.mark();
  }

  private bringIntoSight(id: string): void {
    const area = this.areaOf(id);
    if (area !== null && this.size.width > 0) this.look(showing(this.viewpoint, area, this.size));
  }

  private press(event: KeyboardEvent): void {
    const id = [...this.elements].find(([, element]) => element === event.target)?.[0];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (id === undefined) {
      if (event.key !== "Enter") return;
      this.focusNode();
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(id, event.key === "Enter");
    } else if (event.key === "Escape") {
      this.drawing.focus();
    } else {
      const direction = ARROWS[event.key];
      if (direction === undefined || this.layout === null) return;
      const to = neighbour(this.layout, id, direction);
      if (to !== null) this.elements.get(to)?.focus({ preventScroll: true });
    }
    event.preventDefault();
  }

  private tabStop(): string | null {
    const { selected } = this.state;
    if (selected !== null && this.elements.has(selected)) return selected;
    return this.layout?.boxes[0]?.id ?? null;
  }

  /** Classes and the tab stop, after a choice or a move of the cursor. */
  private mark(): void {
    const stop = this.tabStop();
    const { selected } = this.state;
    for (const [id, element] of this.elements) {
      element.setAttribute("tabindex", id === stop ? "0" : "-1");
      element.classList.toggle("selected", id === selected);
      element.classList.toggle("on-line", this.highlighted.has(id));
    }
    for (const path of this.camera.querySelectorAll<SVGPathElement>("path.edge")) {
      const near = selected !== null && (path.dataset.from === selected || path.dataset.to === selected);
      path.classList.toggle("near", near);
    }
    this.describe();
  }

  private describe(): void {
    const box = this.areaOf(this.state.selected);
    const node = this.graph?.nodes.find(({ name }) => name === box?.drawn.node?.name);
    if (node === undefined) {
      const drawn = this.layout?.boxes.length ?? 0;
      const all = this.tree?.nodes.length ?? 0;
      const text =
        drawn < all
          ? `${all} nodes, folded by module to ${drawn}. Click a group to open it; at most ${MOST_DRAWN} are drawn at once.`
          : "Click a node to go to its line.";
      this.details.replaceChildren(el("p", { class: "note", text }));
      return;
    }
    const fields: [string, string][] = [
      ["node", node.name],
      [kindOf(node) === "parameter" ? KIND_WORDS.parameter : node.op, node.target],
      ["arguments", node.args],
      ["value", typeOf(node)],
      ["module", node.module],
    ];
    this.details.replaceChildren(
      el(
        "dl",
        {},
        ...fields
          .filter(([, value]) => value !== "")
          .flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: value, title: value })]),
      ),
    );
  }

  private step(nearer: boolean): void {
    this.look(zoomedByStep(this.viewpoint, nearer, this.size));
  }

  private fit(): void {
    this.state = { ...this.state, camera: null };
    this.options.onState(this.state);
    this.apply();
  }

  private look(camera: Camera): void {
    this.state = { ...this.state, camera };
    this.options.onState(this.state);
    this.apply();
  }

  private apply(): void {
    const { x, y, zoom } = this.viewpoint;
    this.camera.setAttribute("transform", `translate(${x} ${y}) scale(${zoom})`);
  }
}

function arrowhead(id: string): SVGMarkerElement {
  return svg(
    "marker",
    { attributes: { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" } },
    svg("path", { class: id, attributes: { d: "M0 1 L8 4 L0 7 z" } }),
  );
}

/** Bends are rounded: the curve goes from middle to middle of the pieces. */
function line({ from, to, points }: Line): SVGPathElement {
  const [first, ...rest] = points;
  let d = first === undefined ? "" : `M${first.x} ${first.y}`;
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    d += next === undefined ? ` L${point.x} ${point.y}` : ` Q${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`;
  });
  const path = svg("path", { class: "edge", attributes: { d } });
  path.dataset.from = from;
  path.dataset.to = to;
  return path;
}
