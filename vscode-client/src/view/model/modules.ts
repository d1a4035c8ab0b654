/** The nodes of a graph as a tree: modules hold the nodes and modules that they called. */

import type { Node } from "../../protocol";

export type Item = Leaf | Group;

export interface Leaf {
  readonly node: Node;
  readonly id: string;
}

export interface Group {
  readonly id: string;
  /** `layers.0`, or `40 nodes` for a run of nodes that no module holds together. */
  readonly label: string;
  readonly children: readonly Item[];
  /** How many nodes are in it, at any depth. */
  readonly size: number;
}

export function isGroup(item: Item): item is Group {
  return "children" in item;
}

/** Parts of a path that stand for a block of control flow: `if_7.true`, `loop_9.body`. */
const BLOCK = /^(?:if_\d+(?:_\d+)?|loop_\d+(?:_\d+)?|true|false|body)$/;

/** Whether a node is in a block of control flow: such a block is a group even in a small graph, and of a single node. */
export function isInBlock({ module }: Node): boolean {
  return module !== "" && module.split(".").some((part) => BLOCK.test(part));
}

/** The most that opens at once. */
export const MOST_CHILDREN = 60;

/**
 * Only neighbours go into one group: a module called twice is two groups. So no cycle can come of folding, as the nodes
 * stand in the order in which they run.
 */
export function moduleTree(nodes: readonly Node[]): readonly Item[] {
  const leaves = nodes.map((node) => ({ node, id: `n:${node.name}`, path: node.module === "" ? [] : node.module.split(".") }));
  return bundled(grouped(leaves, 0), "");
}

interface Placed extends Leaf {
  readonly path: readonly string[];
}

function grouped(leaves: readonly Placed[], depth: number): Item[] {
  const items: Item[] = [];
  for (let start = 0; start < leaves.length; ) {
    const first = leaves[start];
    if (first === undefined) break;
    const name = first.path[depth];
    let end = start + 1;
    while (name !== undefined && end < leaves.length && leaves[end]?.path[depth] === name) end++;
    if (name === undefined || (end - start === 1 && !BLOCK.test(name))) {
      items.push({ node: first.node, id: first.id });
    } else {
      items.push(...asGroup(leaves.slice(start, end), depth + 1));
    }
    start = end;
  }
  return items;
}

/** A module all of whose nodes are in one module of it is one with that. */
function asGroup(leaves: readonly Placed[], depth: number): Item[] {
  const children = grouped(leaves, depth);
  const only = children.length === 1 ? children[0] : undefined;
  if (only !== undefined && isGroup(only)) return [only];
  const first = leaves[0];
  if (first === undefined) return children;
  const label = first.path.slice(0, depth).join(".");
  const id = `m:${label}:${first.node.name}`;
  return [{ id, label, size: leaves.length, children: bundled(children, id) }];
}

/** Many children become runs of them, of about equal length. */
function bundled(items: readonly Item[], parent: string): readonly Item[] {
  if (items.length <= MOST_CHILDREN) return items;
  const length = Math.max(Math.ceil(Math.sqrt(items.length)), Math.ceil(items.length / MOST_CHILDREN));
  const bundles: Item[] = [];
  for (let start = 0; start < items.length; start += length) {
    const children = items.slice(start, start + length);
    const size = children.reduce((sum, item) => sum + sizeOf(item), 0);
    bundles.push({ id: `r:${parent}:${start}`, label: `${nameOfFirst(children)} and ${children.length - 1} more`, size, children });
  }
  return bundles;
}

function nameOfFirst(items: readonly Item[]): string {
  const first = items[0];
  if (first === undefined) return "";
  return isGroup(first) ? first.label : first.node.name;
}

export function sizeOf(item: Item): number {
  return isGroup(item) ? item.size : 1;
}
