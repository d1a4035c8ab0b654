import assert from "node:assert/strict";
import { test } from "node:test";

import { foldable, folded, openAtFirst } from "../../src/view/model/fold";
import { type Box, type Layout, layoutOf } from "../../src/view/model/layout";
import { neighbour } from "../../src/view/model/neighbours";
import type { Graph } from "../../src/protocol";
import { entryOf, firstGraph, view } from "./fixtures";

function laidOut(graph: Graph): Layout {
  const tree = foldable(graph, false);
  return layoutOf(folded(tree, openAtFirst(tree)));
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height
  );
}

function within(inner: Box, outer: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

const graphs = {
  small: firstGraph(view("gated_scorer")),
  branching: entryOf(view("detector"), "AnchorMatcher.forward").frames[0]?.graphs[0],
  deep: firstGraph(view("deep")),
};

for (const [name, graph] of Object.entries(graphs)) {
  void test(`${name}: edges lead down, no box covers another, all is inside the drawing`, () => {
    assert.ok(graph !== undefined);
    const { boxes, lines, width, height } = laidOut(graph);
    const byId = new Map(boxes.map((box) => [box.id, box]));
    assert.ok(lines.length > 0);
    for (const { from, to } of lines) {
      assert.ok((byId.get(from)?.y ?? Infinity) < (byId.get(to)?.y ?? -Infinity), `${from} above ${to}`);
    }
    boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => assert.ok(!overlap(one, other), `${one.id} ${other.id}`)));
    assert.ok(boxes.every((box) => within(box, { ...box, x: 0, y: 0, width, height })));
  });
}

void test("frames hold their nodes and their frames, with a header above them", () => {
  const { boxes, frames } = laidOut(graphs.deep);
  const byId = new Map(frames.map((frame) => [frame.id, frame]));
  assert.ok(frames.length > 2);
  for (const box of [...boxes, ...frames]) {
    const { parent } = box.drawn;
    if (parent === null) continue;
    const frame = byId.get(parent);
    assert.ok(frame !== undefined && within(box, frame), `${box.id} in ${parent}`);
    assert.ok(box.y - frame.y >= 16);
  }
});

void test("arrow keys lead along the edges and through a layer", () => {
  assert.ok(graphs.branching !== undefined);
  const layout = laidOut(graphs.branching);
  const start = layout.boxes.find(({ id }) => layout.lines.filter(({ from }) => from === id).length > 1);
  assert.ok(start !== undefined);
  const below = neighbour(layout, start.id, "down");
  assert.ok(below !== null && layout.lines.some(({ from, to }) => from === start.id && to === below));
  const above = neighbour(layout, below, "up");
  assert.ok(layout.lines.some(({ from, to }) => from === above && to === below));
  const right = neighbour(layout, below, "right") ?? neighbour(layout, below, "left");
  assert.ok(right !== null && right !== below);
  assert.equal(neighbour(layout, "n:output", "down"), null);
});

void test("an empty graph has an empty drawing", () => {
  const layout = layoutOf(folded(foldable({ id: 0, lines: "", ops: 0, code: "", nodes: [] }, true), []));
  assert.deepEqual([layout.boxes.length, layout.lines.length, layout.width], [0, 0, 0]);
});
