import assert from "node:assert/strict";
import { test } from "node:test";

import { closed, type Folded, foldable, folded, MOST_DRAWN, openAtFirst, opened } from "../../src/view/model/fold";
import { isGroup, type Item, MOST_CHILDREN, moduleTree } from "../../src/view/model/modules";
import { kindOf } from "../../src/view/model/nodes";
import type { Graph } from "../../src/protocol";
import { firstGraph, view } from "./fixtures";

const small = firstGraph(view("gated_scorer"));
const deep = firstGraph(view("deep"));

function acyclic({ drawn, edges }: Folded): boolean {
  const left = new Map(drawn.map(({ id }) => [id, 0]));
  for (const { to } of edges) left.set(to, (left.get(to) ?? 0) + 1);
  const free = drawn.map(({ id }) => id).filter((id) => left.get(id) === 0);
  let seen = 0;
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    seen++;
    for (const { to } of edges.filter(({ from }) => from === id)) {
      const count = (left.get(to) ?? 0) - 1;
      left.set(to, count);
      if (count === 0) free.push(to);
    }
  }
  return seen === drawn.length;
}

void test("a small graph is drawn whole, with the edges that its nodes read", () => {
  const { drawn, edges, open } = folded(foldable(small, true), []);
  assert.equal(drawn.length, small.nodes.length);
  assert.equal(open.length, 0);
  const wanted = new Set(small.nodes.flatMap(({ name, inputs }) => inputs.map((input) => `n:${input}>n:${name}`)));
  assert.deepEqual(new Set(edges.map(({ from, to }) => `${from}>${to}`)), wanted);
  assert.ok(wanted.has("n:sigmoid>n:confidence"));
});

void test("parameters are left out with their edges", () => {
  const { drawn, edges } = folded(foldable(small, false), []);
  assert.ok(small.nodes.some((node) => kindOf(node) === "parameter"));
  assert.ok(drawn.every(({ node }) => node !== null && kindOf(node) !== "parameter"));
  const ids = new Set(drawn.map(({ id }) => id));
  assert.ok(edges.every(({ from, to }) => ids.has(from) && ids.has(to)));
});

for (const parameters of [false, true]) {
  void test(`thousands of nodes fold by module, ${parameters ? "with" : "without"} parameters`, () => {
    assert.ok(deep.nodes.length > 2000);
    const tree = foldable(deep, parameters);
    const first = folded(tree, openAtFirst(tree));
    assert.ok(first.drawn.length <= MOST_DRAWN && first.drawn.length > 10);
    assert.ok(acyclic(first));
    assert.equal(first.standsFor.size, tree.nodes.length, "each node is drawn or stands in a group");
    assert.ok(first.open.some(({ group }) => group?.label === "stages.0"));
  });
}

void test("with the module that reads them, parameters fold", () => {
  const tree = foldable(deep, true);
  const { standsFor } = folded(tree, []);
  for (const node of deep.nodes.filter(({ module, op }) => module.startsWith("stages.") && op !== "placeholder")) {
    for (const input of node.inputs) {
      const parameter = deep.nodes.find(({ name }) => name === input);
      if (parameter === undefined || kindOf(parameter) !== "parameter") continue;
      assert.equal(standsFor.get(input), standsFor.get(node.name));
    }
  }
});

void test("however much is opened, no more is drawn than can be laid out at once", () => {
  const tree = foldable(deep, true);
  let open = openAtFirst(tree);
  for (const id of [...tree.groups.keys()].slice(0, 150)) {
    open = opened(tree, open, id);
    const shown = folded(tree, open);
    assert.ok(shown.drawn.length <= MOST_DRAWN, id);
    assert.ok(
      shown.open.some((frame) => frame.id === id),
      "what was opened last is open",
    );
  }
  assert.ok(acyclic(folded(tree, open)));
});

void test("closing a group closes what is in it", () => {
  const tree = foldable(deep, false);
  const open = openAtFirst(tree);
  const stages = [...tree.groups.values()].find(({ label }) => label === "stages");
  assert.ok(stages !== undefined && open.includes(stages.id));
  const left = closed(tree, open, stages.id);
  assert.ok(left.length < open.length - 1);
  assert.ok(left.every((id) => !(tree.holders.get(id) ?? []).includes(stages.id)));
  assert.ok(folded(tree, left).drawn.some(({ id }) => id === stages.id));
});

void test("a module that is called twice is two groups, and nodes of no module are bundled", () => {
  const node = (name: string, module: string) => ({ op: "call_function", name, target: name, args: "", inputs: [], module, shape: null, dtype: null, at: null });
  const twice = moduleTree([node("a", "act"), node("b", "act"), node("c", ""), node("d", "act"), node("e", "act")]);
  assert.deepEqual(
    twice.map((item) => (isGroup(item) ? item.label : item.node.name)),
    ["act", "c", "act"],
  );
  assert.equal(new Set(twice.map(({ id }) => id)).size, 3);

  const flat = moduleTree(Array.from({ length: 5000 }, (_, index) => node(`n${index}`, "")));
  const widest = (items: readonly Item[]): number =>
    Math.max(items.length, ...items.filter(isGroup).map(({ children }) => widest(children)));
  const leaves = (items: readonly Item[]): string[] =>
    items.flatMap((item) => (isGroup(item) ? leaves(item.children) : [item.node.name]));
  assert.ok(widest(flat) <= 2 * MOST_CHILDREN);
  assert.deepEqual(leaves(flat), Array.from({ length: 5000 }, (_, index) => `n${index}`));
});

const node = (name: string, module: string, inputs: readonly string[]): Graph["nodes"][number] => ({
  op: "call_function",
  name,
  target: name,
  args: "",
  inputs: [...inputs],
  module,
  shape: null,
  dtype: null,
  at: null,
});

void test("a block of control flow is a group, also in a small graph and of one node", () => {
  const nodes = [node("a", "", []), node("b", "if_3.true", ["a"]), node("c", "if_3.false", ["a"]), node("if", "", ["b", "c"])];
  const tree = foldable({ id: 0, lines: "", ops: 4, code: "", nodes }, true);
  const { drawn, open, edges } = folded(tree, openAtFirst(tree));
  assert.deepEqual(open.map(({ group }) => group?.label).sort(), ["if_3", "if_3.false", "if_3.true"]);
  assert.equal(drawn.length, 4);
  assert.equal(edges.length, 4);
  assert.ok(acyclic(folded(tree, [])));
});

void test("the graph of a branch is no parameter", () => {
  const kinds = ["cond_true_0", "false_graph_1", "body_fn_0", "weight", "cond_true"].map((target) => kindOf({ ...node(target, "", []), op: "get_attr" }));
  assert.deepEqual(kinds, ["subgraph", "subgraph", "subgraph", "parameter", "parameter"]);
});
