import assert from "node:assert/strict";
import { test } from "node:test";

import type { Finding, Function_ } from "../../src/report/data";
import { hashOf, targetOf } from "../../src/report/model/address";
import { bandsOf } from "../../src/report/model/bands";
import { ALL, chosen, type Choice } from "../../src/report/model/choice";

function finding(id: string, changes: Partial<Finding> & { path?: string; line?: number } = {}): Finding {
  const { path = "a.py", line = 1, ...rest } = changes;
  return {
    id,
    code: "CAP101",
    name: "data-dependent-branch",
    severity: "warning",
    at: { path, line, where: `${path}:${line}` },
    column: 1,
    end_line: line,
    end_column: 2,
    message: "",
    function: "",
    roots: [],
    count: 1,
    outcome: "graph_break",
    outcome_words: "breaks the graph",
    status: "predicted",
    status_words: "predicted",
    mark: "",
    judgements: [],
    provenance: [],
    related: [],
    graph_breaks: [],
    url: "",
    fixes: [],
    cost: null,
    ...rest,
  };
}

const OUTCOMES = ["silently_wrong", "graph_break", "recompiles"];

function ids(findings: readonly Finding[], choice: Partial<Choice>): string[] {
  return chosen(findings, { ...ALL, ...choice }, OUTCOMES).map(({ id }) => id);
}

test("findings are in the order of their files and lines", () => {
  const all = [finding("c", { path: "b.py", line: 2 }), finding("b", { path: "a.py", line: 10 }), finding("a", { path: "a.py", line: 9 })];
  assert.deepEqual(ids(all, {}), ["a", "b", "c"]);
  assert.deepEqual(ids(all, { descending: true }), ["c", "b", "a"]);
});

test("what costs most comes first, what was not measured last", () => {
  const cost = (gain: number): Finding["cost"] => ({ gain, change: "", words: "" });
  const all = [finding("none"), finding("little", { cost: cost(1.1), line: 2 }), finding("same", { cost: cost(1), line: 3 }), finding("much", { cost: cost(2), line: 4 })];
  assert.deepEqual(ids(all, { order: "cost" }), ["much", "little", "same", "none"]);
});

test("kinds are ordered by what they do, not by their names", () => {
  const all = [finding("r", { outcome: "recompiles" }), finding("g", { outcome: "graph_break" }), finding("w", { outcome: "silently_wrong" })];
  assert.deepEqual(ids(all, { order: "kind" }), ["w", "g", "r"]);
});

test("each filter leaves what it names, and all words must occur", () => {
  const judgement = { frontend: "export", outcome: "refused", words: "refuses", status: "", in_use: true };
  const all = [
    finding("a", { status: "confirmed", mark: "new", message: "the `if` reads a tensor" }),
    finding("b", { outcome: "recompiles", judgements: [judgement] }),
    finding("c", { judgements: [{ ...judgement, in_use: false }], message: "reads a file" }),
  ];
  assert.deepEqual(ids(all, { status: "confirmed" }), ["a"]);
  assert.deepEqual(ids(all, { mark: "new" }), ["a"]);
  assert.deepEqual(ids(all, { outcome: "recompiles" }), ["b"]);
  assert.deepEqual(ids(all, { frontend: "export" }), ["b"]);
  assert.deepEqual(ids(all, { text: "READS" }), ["a", "c"]);
  assert.deepEqual(ids(all, { text: "reads tensor" }), ["a"]);
});

test("links lead back to what they were made for", () => {
  for (const id of ["examples/a.py::Net(16, 'x').forward#2", "a b%20"]) {
    assert.deepEqual(targetOf(hashOf({ kind: "entry", id })), { kind: "entry", id });
  }
  assert.equal(targetOf("#findings"), null);
  assert.equal(targetOf("#finding=%E0%A4%A"), null);
  assert.equal(targetOf(""), null);
});

test("an island's lines are one band, with its graph's colour wherever it goes on", () => {
  const made: Function_ = {
    name: "fn",
    path: "a.py",
    first: 1,
    last: 9,
    breaks: [],
    islands: [
      { kind: "graph", graph: 4, label: "", ranges: [[2, 3], [6, 6]] },
      { kind: "eager", graph: null, label: "", ranges: [[4, 4]] },
      { kind: "graph", graph: 7, label: "", ranges: [[5, 5]] },
    ],
  };
  const bands = bandsOf(made);
  assert.deepEqual([...bands.keys()].sort(), [2, 3, 4, 5, 6]);
  assert.deepEqual([2, 3, 6].map((line) => bands.get(line)?.lane), [0, 0, 0]);
  assert.equal(bands.get(5)?.lane, 1);
  assert.equal(bands.get(4)?.lane, null);
  assert.deepEqual([2, 3, 6].map((line) => [bands.get(line)?.begins, bands.get(line)?.ends]), [[true, false], [false, true], [true, true]]);
});
