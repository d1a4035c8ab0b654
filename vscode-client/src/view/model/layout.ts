/** Where the nodes, frames and edges of a folded graph stand; in layers, from the top down. */

import { graphlib, layout } from "@dagrejs/dagre";

import type { Drawn, Folded } from "./fold";
import { type Kind, kindOf, labelOf, shortened, typeOf } from "./nodes";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** `x`, `y`: the upper left corner. */
export interface Box extends Point {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly kind: Kind;
  /** The first line. */
  readonly label: string;
  /** The second line; may be empty. */
  readonly detail: string;
  readonly drawn: Drawn;
}

export interface Line {
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  /** Outermost first, to be drawn in this order. */
  readonly frames: readonly Box[];
  readonly lines: readonly Line[];
}

/** Sizes in pixels at a zoom of 1, for a monospaced font of 12 px. */
export const CHARACTER = 7.3;
export const PADDING = 12;
const ONE_LINE = 26;
const TWO_LINES = 42;
const NARROWEST = 64;
export const FRAME_HEADER = 20;

export function layoutOf({ drawn, open, edges }: Folded): Layout {
  const graph = new graphlib.Graph({ compound: true });
  graph.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 30, marginx: 16, marginy: 16 + FRAME_HEADER });
  graph.setDefaultEdgeLabel(() => ({}));
  const sized = drawn.map((one) => ({ one, ...writingOf(one) }));
  for (const { one, width, height } of sized) graph.setNode(one.id, { width, height });
  const holding = open.filter((frame) => [...drawn, ...open].some((one) => one.parent === frame.id));
  for (const frame of holding) graph.setNode(frame.id, {});
  for (const one of [...holding, ...drawn]) if (one.parent !== null) graph.setParent(one.id, one.parent);
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);

  const boxes = sized.map(({ one, ...writing }): Box => {
    const { x, y } = graph.node(one.id) as Point;
    return { id: one.id, drawn: one, ...writing, x: x - writing.width / 2, y: y - writing.height / 2 };
  });
  const frames = withHeaders(
    holding.map((one): Box => {
      const { x, y, width, height } = graph.node(one.id) as Point & { width: number; height: number };
      return { id: one.id, drawn: one, ...writingOf(one), x: x - width / 2, y: y - height / 2, width, height };
    }),
  );
  const lines = graph.edges().map((edge): Line => {
    const { points } = graph.edge(edge) as { points: Point[] };
    return { from: edge.v, to: edge.w, points };
  });
  const { width, height } = graph.graph() as { width: number; height: number };
  return { width: drawn.length === 0 ? 0 : width, height: drawn.length === 0 ? 0 : height, boxes, frames, lines };
}

/** Each frame begins a line of text above what it holds. */
function withHeaders(frames: readonly Box[]): Box[] {
  const tops = new Map<string, number>();
  for (const { id, drawn, y } of [...frames].reverse()) {
    const top = Math.min(y, tops.get(id) ?? y) - FRAME_HEADER;
    tops.set(id, top);
    if (drawn.parent !== null) tops.set(drawn.parent, Math.min(top, tops.get(drawn.parent) ?? top));
  }
  return frames.map((box) => {
    const y = tops.get(box.id) ?? box.y;
    return { ...box, y, height: box.height + box.y - y };
  });
}

type Writing = Pick<Box, "kind" | "label" | "detail" | "width" | "height">;

function writingOf({ node, group }: Drawn): Writing {
  if (node !== null) return sizedFor(kindOf(node), labelOf(node), shortened(typeOf(node), 36));
  return sizedFor("group", shortened(group?.label ?? "", 36), `${group?.size ?? 0} nodes`);
}

function sizedFor(kind: Kind, label: string, detail: string): Writing {
  const characters = Math.max(label.length, detail.length);
  return {
    kind,
    label,
    detail,
    width: Math.max(NARROWEST, Math.ceil(characters * CHARACTER) + 2 * PADDING),
    height: detail === "" ? ONE_LINE : TWO_LINES,
  };
}
