/** Which nodes and groups of a graph are drawn, and the edges between them. */

import type { Graph, Node } from "../../protocol";
import { type Group, isGroup, isInBlock, type Item, type Leaf, moduleTree } from "./modules";
import { kindOf } from "./nodes";

/** Graphs up to this size are drawn whole, unless they have blocks of control flow. */
export const WHOLE = 150;
/** No more than this many nodes and groups are drawn. */
export const MOST_DRAWN = 200;
/** So many are drawn before the reader opens anything. */
const AT_FIRST = 60;

export interface Foldable {
  readonly roots: readonly Item[];
  readonly groups: ReadonlyMap<string, Group>;
  /** The groups that hold a node or group, outermost first; by its id. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  readonly nodes: readonly Node[];
}

export interface Drawn {
  readonly id: string;
  /** The open group that it stands in. */
  readonly parent: string | null;
  /** null for a group. */
  readonly node: Node | null;
  readonly group: Group | null;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
}

export interface Folded {
  readonly drawn: readonly Drawn[];
  /** Groups that are open, outermost first; drawn as frames around what they hold. */
  readonly open: readonly Drawn[];
  readonly edges: readonly Edge[];
  /** Which drawn node or group stands for a node; by the node's name. Hidden nodes are missing. */
  readonly standsFor: ReadonlyMap<string, string>;
}


/** `parameters`: whether placeholders of parameters and buffers are there too. */
export function foldable(graph: Graph, parameters: boolean): Foldable {
  const nodes = parameters ? graph.nodes : graph.nodes.filter((node) => kindOf(node) !== "parameter");
  const roots: readonly Item[] =
    nodes.length <= WHOLE && !nodes.some(isInBlock) ? nodes.map((node): Leaf => ({ node, id: `n:${node.name}` })) : moduleTree(besideReaders(nodes));
  const groups = new Map<string, Group>();
  const holders = new Map<string, readonly string[]>();
  const visit = (items: readonly Item[], path: readonly string[]): void => {
    for (const item of items) {
      holders.set(item.id, path);
      if (!isGroup(item)) continue;
      groups.set(item.id, item);
      visit(item.children, [...path, item.id]);
    }
  };
  visit(roots, []);
  return { roots, groups, holders, nodes };
}

/** Dynamo lists parameters first; to fold with the module that reads them, they stand before their first reader. */
function besideReaders(nodes: readonly Node[]): Node[] {
  const waiting = new Map(nodes.filter((node) => kindOf(node) === "parameter").map((node) => [node.name, node]));
  const placed: Node[] = [];
  for (const node of nodes) {
    if (waiting.has(node.name)) continue;
    for (const input of node.inputs) {
      const parameter = waiting.get(input);
      if (parameter === undefined) continue;
      placed.push({ ...parameter, module: node.module });
      waiting.delete(input);
    }
    placed.push(node);
  }
  return [...placed, ...waiting.values()];
}

/** What is open before the reader opens anything: from the outside in, as far as it stays easy to take in. */
export function openAtFirst({ roots }: Foldable): string[] {
  const open: string[] = [];
  let drawn = roots.length;
  const queue = roots.filter(isGroup);
  for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
    if (drawn + group.children.length - 1 > AT_FIRST) continue;
    drawn += group.children.length - 1;
    open.push(group.id);
    queue.push(...group.children.filter(isGroup));
  }
  return open;
}

/** Opens a group (and what holds it); groups opened long ago close if too much would be drawn. */
export function opened(tree: Foldable, open: readonly string[], id: string): string[] {
  const needed = [...(tree.holders.get(id) ?? []), ...(tree.groups.has(id) ? [id] : [])];
  let next = [...open.filter((one) => !needed.includes(one) && tree.groups.has(one)), ...needed];
  while (countDrawn(tree, next) > MOST_DRAWN) {
    const oldest = next.find((one) => !needed.includes(one));
    if (oldest === undefined) break;
    next = closed(tree, next, oldest);
  }
  return next;
}

/** Closes a group and all in it. */
export function closed(tree: Foldable, open: readonly string[], id: string): string[] {
  return open.filter((one) => one !== id && !(tree.holders.get(one) ?? []).includes(id));
}

function countDrawn(tree: Foldable, open: readonly string[]): number {
  const isOpen = new Set(open);
  const count = (items: readonly Item[]): number =>
    items.reduce((sum, item) => sum + (isGroup(item) && isOpen.has(item.id) ? count(item.children) : 1), 0);
  return count(tree.roots);
}

export function folded(tree: Foldable, open: readonly string[]): Folded {
  const isOpen = new Set(open);
  const drawn: Drawn[] = [];
  const frames: Drawn[] = [];
  const standsFor = new Map<string, string>();
  const all = (item: Item, id: string): void => {
    if (isGroup(item)) item.children.forEach((child) => all(child, id));
    else standsFor.set(item.node.name, id);
  };
  const visit = (items: readonly Item[], parent: string | null): void => {
    for (const item of items) {
      const group = isGroup(item) ? item : null;
      if (group !== null && isOpen.has(group.id)) {
        frames.push({ id: group.id, parent, node: null, group });
        visit(group.children, group.id);
      } else {
        drawn.push({ id: item.id, parent, node: isGroup(item) ? null : item.node, group });
        all(item, item.id);
      }
    }
  };
  visit(tree.roots, null);
  return { drawn, open: frames, edges: edgesOf(tree.nodes, standsFor), standsFor };
}

function edgesOf(nodes: readonly Node[], standsFor: ReadonlyMap<string, string>): Edge[] {
  const edges = new Map<string, Edge>();
  for (const node of nodes) {
    const to = standsFor.get(node.name);
    if (to === undefined) continue;
    for (const input of node.inputs) {
      const from = standsFor.get(input);
      if (from !== undefined && from !== to) edges.set(`${from}\n${to}`, { from, to });
    }
  }
  return [...edges.values()];
}
