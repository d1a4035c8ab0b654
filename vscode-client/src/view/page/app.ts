/** The page: one function of one file, chosen in a tree. */

import type { CaptureView, Entry, Place } from "../../protocol";
import type { Part, ToHost, ToPage } from "../messages";
import { graphsOf } from "../model/entry";
import { isOn, type Line, nodesOn } from "../model/lines";
import { counted, linesIn, outline, type OutlineItem } from "../model/outline";
import { nameOf } from "../model/places";
import { code } from "./code";
import { el, keepingPlace } from "./dom";
import { GraphView } from "./graph";
import { empty, header, type Probing, without } from "./header";
import { frontends, guards, paths, type SectionContext } from "./sections";
import type { PageState, TableState } from "./state";
import { type Tab, tabs } from "./tabs";
import { times } from "./times";
import { tree } from "./tree";

export interface Outside {
  post(message: ToHost): void;
  remember(state: PageState): void;
}

const TABS: readonly Tab[] = [
  { part: "graph", title: "Graph" },
  { part: "guards", title: "Guards" },
  { part: "frontends", title: "Frontends" },
  { part: "paths", title: "Paths & recompiles" },
  { part: "code", title: "Code" },
  { part: "times", title: "Times" },
];

export class App {
  /** undefined until the first answer; null while there is no server. */
  private view: CaptureView | null | undefined = undefined;
  private cursor: Line | null = null;
  private server = { probing: false, message: "" };
  private readonly graph: GraphView;

  constructor(
    private readonly root: HTMLElement,
    private state: PageState,
    private readonly outside: Outside,
  ) {
    this.graph = new GraphView({
      onState: (graph) => {
        const key = this.graphKey();
        if (key !== null) this.remember({ graphs: { ...this.state.graphs, [key]: graph } });
      },
      onParameters: (parameters) => this.change({ parameters }),
      onReveal: (node, focus) => {
        const at = this.shownGraph()?.nodes.find(({ name }) => name === node)?.at;
        if (at != null) this.reveal(at, focus);
      },
    });
    this.render();
  }

  take(message: ToPage): void {
    switch (message.type) {
      case "view":
        this.view = message.view;
        if (message.uri === this.state.uri) this.render();
        else this.change({ uri: message.uri, entry: null, graph: 0, frame: null, outline: null, item: null, graphs: {}, tables: {} });
        break;
      case "show":
        this.showWanted(message);
        break;
      case "cursor":
        // Told again after each view; only a move is followed.
        if (this.cursor?.uri === message.uri && this.cursor.line === message.line) break;
        this.cursor = { uri: message.uri, line: message.line };
        this.follow();
        break;
      case "server":
        this.server = { probing: message.probing, message: message.message };
        this.render();
        break;
    }
  }

  private showWanted({ entry, part }: Extract<ToPage, { type: "show" }>): void {
    const other = entry !== null && entry !== this.state.entry;
    this.change({
      ...(other ? { entry, graph: 0, frame: null, item: entry } : {}),
      ...(part === null || part === "tree" ? {} : { part }),
    });
    if (part === "tree") this.root.querySelector<HTMLElement>(".tree [tabindex='0']")?.focus();
  }

  private get entries(): readonly Entry[] {
    return this.view?.entries ?? [];
  }

  /** The chosen function; without a choice, the first. */
  private get entry(): Entry | null {
    if (this.state.entry === null) return this.entries[0] ?? null;
    return this.entries.find(({ name }) => name === this.state.entry) ?? null;
  }

  private shownGraph(): Entry["frames"][number]["graphs"][number] | null {
    const graphs = this.entry === null ? [] : graphsOf(this.entry);
    return (graphs[this.state.graph] ?? graphs[0])?.graph ?? null;
  }

  private graphKey(): string | null {
    return this.entry === null ? null : `${this.entry.name}/${this.state.graph}/${this.state.parameters ? "all" : "few"}`;
  }

  private remember(change: Partial<PageState>): void {
    this.state = { ...this.state, ...change };
    this.outside.remember(this.state);
  }

  private change(change: Partial<PageState>): void {
    this.remember(change);
    this.render();
  }

  private reveal(at: Place, focus: boolean): void {
    this.outside.post({ type: "reveal", uri: at.uri, range: at.range, focus });
  }

  private readonly onLine = (at: Place | null): boolean => this.cursor !== null && isOn(at, this.cursor);

  /** The cursor has moved: the graph that holds its line is shown, the nodes are marked. */
  private follow(): void {
    const { cursor, entry } = this;
    if (cursor !== null && entry !== null && this.state.part === "graph") {
      const graphs = graphsOf(entry);
      const shown = this.shownGraph();
      if (shown !== null && nodesOn(shown, cursor).length === 0) {
        const position = graphs.findIndex(({ graph }) => nodesOn(graph, cursor).length > 0);
        if (position >= 0) this.remember({ graph: position });
      }
    }
    this.render();
    this.highlight(true);
  }

  private highlight(follow: boolean): void {
    const graph = this.shownGraph();
    if (graph !== null) this.graph.highlight(this.cursor === null ? [] : nodesOn(graph, this.cursor), follow);
  }

  private readonly probing = (): Probing => ({
    ...this.server,
    probe: (entry) => this.outside.post({ type: "probe", entry }),
  });

  private render(): void {
    keepingPlace(this.root, () => {
      this.root.replaceChildren(...this.page());
      const graph = this.shownGraph();
      const key = this.graphKey();
      if (this.state.part !== "graph" || graph === null || key === null) return;
      this.graph.show(graph, this.state.graphs[key] ?? { open: null, camera: null, selected: null }, this.state.parameters);
      this.highlight(false);
    });
  }

  private page(): HTMLElement[] {
    if (this.view === undefined) return [without("Loading…")];
    if (this.view === null) return [without("The server is not running. The view comes back with it.")];
    if (this.entries.length === 0) return [empty(this.state.entry, this.probing())];
    return [this.side(this.view), this.main(this.view)];
  }

  private side(view: CaptureView): HTMLElement {
    const items = outline(view);
    const first = this.entry?.name ?? items[0]?.id;
    const open = new Set(this.state.outline ?? (first === undefined ? [] : openedAt(items, first)));
    return el(
      "nav",
      { class: "side", key: "side", attributes: { "aria-label": "Functions" } },
      tree({
        items,
        open,
        selected: this.state.item ?? first ?? null,
        highlighted: (item) => item.icon !== "entry" && item.icon !== "frame" && this.onLine(item.at),
        onOpen: (next) => this.change({ outline: [...next] }),
        onSelect: (item, focus) => this.select(item, focus),
      }),
    );
  }

  private select({ id, selects, at }: OutlineItem, focus: boolean): void {
    this.change({
      item: id,
      entry: selects.entry,
      part: selects.part,
      frame: selects.part === "guards" ? selects.frame : null,
      graph: selects.graph ?? (selects.entry === this.entry?.name ? this.state.graph : 0),
    });
    if (at !== null) this.reveal(at, focus);
  }

  private main(view: CaptureView): HTMLElement {
    const { entry } = this;
    if (entry === null) return el("main", {}, empty(this.state.entry, this.probing()));
    const { part } = this.state;
    return el(
      "main",
      {},
      header(view, entry, this.probing()),
      tabs(TABS, part, (next) => this.change({ part: next })),
      el(
        "div",
        { class: "content", attributes: { id: "content", role: "tabpanel", "aria-labelledby": `tab-${part}` } },
        ...this.content(entry, part),
      ),
    );
  }

  private content(entry: Entry, part: Part): HTMLElement[] {
    const context: SectionContext = {
      uri: this.state.uri,
      state: this.state,
      onTable: (name, table) => this.rememberTable(name, table),
      onReveal: (at, focus) => this.reveal(at, focus),
      onLine: this.onLine,
    };
    switch (part) {
      case "graph":
        return this.shownGraph() === null ? [nothing(entry)] : [this.chooser(entry), this.graph.element];
      case "code": {
        const graph = this.shownGraph();
        return graph === null ? [nothing(entry)] : [this.chooser(entry), code(graph, context)];
      }
      case "guards":
        return [guards(entry, context, () => this.change({ frame: null }))];
      case "frontends":
        return [
          frontends(
            entry,
            context,
            this.server.probing ? null : () => this.outside.post({ type: "compare", entry: entry.name }),
          ),
        ];
      case "paths":
        return [paths(entry, context)];
      case "times":
        return [
          times(entry, {
            context,
            measure: this.server.probing ? null : () => this.outside.post({ type: "measure", entry: entry.name }),
            table: this.state.tables.kernels ?? { filter: "", order: null },
            onTable: (table) => this.rememberTable("kernels", table),
            onKernel: (index) => this.outside.post({ type: "kernel", entry: entry.name, index }),
          }),
        ];
    }
  }

  private rememberTable(name: string, table: TableState): void {
    this.remember({ tables: { ...this.state.tables, [name]: table } });
  }

  /** Which of the graphs is shown, where there are several. */
  private chooser(entry: Entry): HTMLElement {
    const graphs = graphsOf(entry);
    const select = el(
      "select",
      {
        key: "graph:choose",
        attributes: { "aria-label": "Graph" },
        on: { change: () => this.change({ graph: Number(select.value), item: null }) },
      },
      ...graphs.map(({ graph, frame }, position) =>
        el("option", {
          text: [
            `graph ${graph.id}`,
            entry.frames[frame]?.function ?? "",
            counted(graph.ops, "op"),
            linesIn(graph.lines, nameOf(this.state.uri)),
          ]
            .filter(Boolean)
            .join(" · "),
          attributes: { value: position, ...(graph === this.shownGraph() ? { selected: true } : {}) },
        }),
      ),
    );
    return el("div", { class: "chooser" }, select);
  }
}

function openedAt(items: readonly OutlineItem[], name: string): string[] {
  const entry = items.find(({ id }) => id === name);
  return entry === undefined ? [] : [entry.id, ...entry.children.slice(0, 2).map(({ id }) => id)];
}

function nothing(entry: Entry): HTMLElement {
  const skipped = entry.frames.find((frame) => frame.skipped);
  return el("p", {
    class: "note",
    text:
      skipped === undefined
        ? "No graph was captured."
        : `No graph was captured: ${skipped.function} runs eagerly${skipped.skip_reason === "" ? "." : `: ${skipped.skip_reason}`}`,
  });
}
