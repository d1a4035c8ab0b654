/** The tree of a view: entries, their frames, and what is in those. */

import type { CaptureView, Entry, Frame, Place } from "../../protocol";
import type { Part } from "../messages";
import { nameOf } from "./places";


export interface OutlineItem {
  readonly id: string;
  readonly icon: "entry" | "frame" | "graph" | "break" | "guards" | "recompile" | "skipped";
  readonly label: string;
  /** Quieter, behind the label. */
  readonly detail: string;
  readonly at: Place | null;
  readonly selects: { readonly entry: string; readonly graph: number | null; readonly frame: number | null; readonly part: Part };
  readonly children: readonly OutlineItem[];
}

export function outline(view: CaptureView): OutlineItem[] {
  return view.entries.map((entry) => ofEntry(entry, nameOf(view.uri)));
}

function ofEntry(entry: Entry, file: string): OutlineItem {
  let graphsBefore = 0;
  const frames = entry.frames.map((frame, index) => {
    const item = ofFrame(entry, frame, index, graphsBefore, file);
    graphsBefore += frame.graphs.length;
    return item;
  });
  const recompiles = entry.recompiles.map(
    (one, index): OutlineItem => ({
      id: `${entry.name}/recompile${index}`,
      icon: "recompile",
      label: `recompiles at call ${one.call + 1}`,
      detail: one.dimension || one.guard,
      at: one.at,
      selects: { entry: entry.name, graph: null, frame: null, part: "paths" },
      children: [],
    }),
  );
  return {
    id: entry.name,
    icon: "entry",
    label: entry.name,
    detail: entry.status === "ok" ? entry.figures : entry.status,
    at: entry.at,
    selects: { entry: entry.name, graph: null, frame: null, part: "graph" },
    children: [...frames, ...recompiles],
  };
}

function ofFrame(entry: Entry, frame: Frame, index: number, graphsBefore: number, file: string): OutlineItem {
  const id = `${entry.name}/${index}`;
  const selects = { entry: entry.name, graph: null, frame: index } as const;
  const graphs = frame.graphs.map(
    (graph, position): OutlineItem => ({
      id: `${id}/graph${position}`,
      icon: "graph",
      label: `graph ${graph.id}`,
      detail: [counted(graph.ops, "op"), linesIn(graph.lines, file)].filter(Boolean).join(" · "),
      at: graph.nodes.find((node) => node.at !== null && node.op !== "placeholder")?.at ?? null,
      selects: { ...selects, graph: graphsBefore + position, part: "graph" },
      children: [],
    }),
  );
  const breaks = frame.breaks.map(
    (one, position): OutlineItem => ({
      id: `${id}/break${position}`,
      icon: "break",
      label: "break",
      detail: one.reason,
      at: one.at,
      selects: { ...selects, part: "paths" },
      children: [],
    }),
  );
  const guards: OutlineItem[] =
    frame.guards.length === 0
      ? []
      : [
          {
            id: `${id}/guards`,
            icon: "guards",
            label: counted(frame.guards.length, "guard"),
            detail: "",
            at: null,
            selects: { ...selects, part: "guards" },
            children: [],
          },
        ];
  return {
    id,
    icon: frame.skipped ? "skipped" : "frame",
    label: restOf(entry.name, frame.function),
    detail: frame.skipped ? frame.skip_reason || "runs eagerly" : "",
    at: frame.at,
    selects: { ...selects, graph: frame.graphs.length > 0 ? graphsBefore : null, part: "graph" },
    children: [...graphs, ...breaks, ...guards],
  };
}

/** Under its entry, the rest of a function behind a break needs no name: `from line 18 on`. */
function restOf(entry: string, name: string): string {
  return name.startsWith(`${entry} from `) ? name.slice(entry.length + 1) : name;
}

/** `lines 12-18,20` for `model.py:12-18,20` in that file, and `line 12` for a single one. */
export function linesIn(lines: string, file: string): string {
  if (!lines.startsWith(`${file}:`) || lines.includes(", ")) return lines;
  const numbers = lines.slice(file.length + 1);
  return `${/^\d+$/.test(numbers) ? "line" : "lines"} ${numbers}`;
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

export interface OutlineRow {
  readonly item: OutlineItem;
  readonly level: number;
  readonly position: number;
  readonly of: number;
  readonly parent: string | null;
}

/** The items that are seen, from the top down. */
export function visibleRows(items: readonly OutlineItem[], open: ReadonlySet<string>, level = 1, parent: string | null = null): OutlineRow[] {
  return items.flatMap((item, index) => [
    { item, level, position: index + 1, of: items.length, parent },
    ...(open.has(item.id) ? visibleRows(item.children, open, level + 1, item.id) : []),
  ]);
}
