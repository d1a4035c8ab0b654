import assert from "node:assert/strict";
import { test } from "node:test";

import { dedupedBreaks, graphsOf, nodeOfCodeLine } from "../../src/view/model/entry";
import { entryAround, nodesOn } from "../../src/view/model/lines";
import { labelOf, typeOf } from "../../src/view/model/nodes";
import { linesIn, outline, visibleRows } from "../../src/view/model/outline";
import { lineText, urisOf } from "../../src/view/model/places";
import { filtered, nextOrder, sorted } from "../../src/view/model/table";
import { entryOf, firstGraph, view } from "./fixtures";

const gated = view("gated_scorer");
const detector = view("detector");

void test("a line has its nodes, and a node its line", () => {
  const graph = firstGraph(gated);
  const node = graph.nodes.find(({ name }) => name === "gt");
  assert.ok(node?.at);
  const line = { uri: node.at.uri, line: node.at.range.start.line };
  assert.deepEqual(nodesOn(graph, line), ["gt"]);
  assert.deepEqual(nodesOn(graph, { ...line, uri: "file:///project/other.py" }), []);
  assert.ok(nodesOn(graph, { ...line, line: line.line - 1 }).includes("sigmoid"));
});

void test("the function around the cursor is chosen", () => {
  for (const name of ["Detector.postprocess", "AnchorMatcher.forward"]) {
    const at = entryOf(detector, name).at;
    assert.ok(at);
    assert.equal(entryAround(detector, { uri: at.uri, line: at.range.start.line + 1 })?.name, name);
  }
  assert.equal(entryAround(detector, { uri: detector.uri, line: 0 }), null);
  assert.equal(entryAround(detector, { uri: "file:///project/other.py", line: 100 }), null);
});

void test("nodes are labelled in short", () => {
  const graph = firstGraph(gated);
  const named = (name: string) => graph.nodes.find((node) => node.name === name);
  const linear = named("linear");
  const weight = named("l_self_modules_gate_parameters_weight_");
  assert.ok(linear && weight);
  assert.deepEqual([labelOf(linear), typeOf(linear)], ["linear", "float32[8, 1]"]);
  assert.deepEqual([labelOf(weight), typeOf(weight)], ["self.gate.weight", "float32[1, 16]"]);
});

void test("the tree names what each entry has, and opens level by level", () => {
  const items = outline(gated);
  const [entry] = items;
  assert.ok(entry !== undefined && items.length === 1);
  const icons = new Set(entry.children.flatMap((child) => [child.icon, ...child.children.map(({ icon }) => icon)]));
  assert.deepEqual([...icons].sort(), ["break", "frame", "graph", "guards", "recompile"]);
  assert.deepEqual(
    visibleRows(items, new Set()).map(({ item }) => item.id),
    [entry.id],
  );
  const opened = visibleRows(items, new Set([entry.id]));
  assert.equal(opened.length, 1 + entry.children.length);
  assert.deepEqual([opened[1]?.level, opened[1]?.parent, opened[1]?.position], [2, entry.id, 1]);
  const ids = visibleRows(items, new Set([entry.id, ...entry.children.map(({ id }) => id)])).map(({ item }) => item.id);
  assert.equal(new Set(ids).size, ids.length);
});

void test("lines of the view's file go without its name", () => {
  assert.equal(linesIn("model.py:12-18,20", "model.py"), "lines 12-18,20");
  assert.equal(linesIn("model.py:12", "model.py"), "line 12");
  assert.equal(linesIn("model.py:12, other.py:3", "model.py"), "model.py:12, other.py:3");
  assert.equal(linesIn("other.py:3", "model.py"), "other.py:3");
});

void test("a graph in the tree leads to that graph", () => {
  for (const item of outline(detector)) {
    const graphs = graphsOf(entryOf(detector, item.label));
    for (const found of item.children.flatMap(({ children }) => children).filter(({ icon }) => icon === "graph")) {
      assert.equal(found.label, `graph ${graphs[found.selects.graph ?? -1]?.graph.id}`);
    }
  }
});

void test("breaks that several compilations meet are one", () => {
  const entry = entryOf(gated, "GatedScorer.forward");
  const twice = { ...entry, frames: [...entry.frames, ...entry.frames] };
  assert.equal(dedupedBreaks(entry).length, 1);
  assert.deepEqual(dedupedBreaks(twice), dedupedBreaks(entry));
});

void test("lines of a graph's code name the node that they compute", () => {
  const graph = firstGraph(gated);
  const names = graph.code.split("\n").map(nodeOfCodeLine);
  assert.ok(names.includes("sigmoid") && names.includes("gt"));
  assert.equal(names[0], null);
  assert.equal(names.at(-1), null);
});

void test("a view leads to the files that it names, and no others", () => {
  assert.deepEqual([...urisOf(gated)], [gated.uri]);
  assert.equal(lineText({ uri: gated.uri, range: { start: { line: 4, character: 0 }, end: { line: 4, character: 9 } } }, gated.uri), 5);
  assert.equal(lineText({ uri: "file:///project/a%20b.py", range: { start: { line: 4, character: 0 }, end: { line: 4, character: 9 } } }, gated.uri), "a b.py:5");
});

void test("guards are filtered by all words and sorted by column, as a reader counts", () => {
  const guards = entryOf(gated, "GatedScorer.forward").frames.flatMap((frame) => frame.guards);
  const cells = (guard: (typeof guards)[number]) => [guard.kind, guard.source, guard.expression];
  const found = filtered(guards, cells, "tensor_match  GATE");
  assert.ok(found.length > 0 && found.length < guards.length);
  assert.ok(found.every((guard) => guard.kind === "TENSOR_MATCH" && (guard.source + guard.expression).includes('gate')));
  assert.equal(filtered(guards, cells, "  ").length, guards.length);
  assert.deepEqual(filtered(guards, cells, "no such guard"), []);

  const rows = [["x10", 2], ["x2", 10], ["X1", 1]] as const;
  const by = (column: number, descending: boolean) =>
    sorted(rows, (row) => row, { column, descending }).map(([name]) => name);
  assert.deepEqual(by(0, false), ["X1", "x2", "x10"]);
  assert.deepEqual(by(1, true), ["x2", "x10", "X1"]);
  assert.deepEqual(sorted(rows, (row) => row, null), [...rows]);
  assert.deepEqual(nextOrder(null, 1), { column: 1, descending: false });
  assert.deepEqual(nextOrder({ column: 1, descending: false }, 1), { column: 1, descending: true });
  assert.equal(nextOrder({ column: 1, descending: true }, 1), null);
});
