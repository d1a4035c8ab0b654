import assert from "node:assert/strict";
import { test } from "node:test";

import { bandsOf, linesIn } from "../../src/simulator/model/lines";
import { pythonWords } from "../../src/common/python";
import { functionsIn, partWith, ranOf } from "../../src/simulator/model/source";
import { call, event, graph, run } from "./fixture";

const PROGRAM = `import torch

@torch.no_grad()
def f(x,
      k=2):
    """Says
    something."""
    # a comment
    if (x.sum() > 0 and
            k):
        return torch.relu(
            x
        )
    elif k:
        x = x + 1
    else:
        x = x - 1
    try:
        y = x
    except ValueError:
        raise

    def inner():
        return 1
    return y

class A:
    def g(self):
        for i in range(3):
            pass
`;

test("line sets are read, and what is no set is left out", () => {
  assert.deepEqual([...linesIn("3-5,7")], [3, 4, 5, 7]);
  assert.deepEqual([...linesIn("")], []);
  assert.deepEqual([...linesIn(" 2 , x, 4-")], [2]);
});

test("words stand on their lines, with the text unchanged", () => {
  const lines = pythonWords(PROGRAM);
  assert.equal(lines.map((words) => words.map(({ text }) => text).join("")).join("\n"), PROGRAM);
  assert.equal(lines[8]?.find(({ text }) => text === "if")?.kind, "w-keyword");
  assert.equal(lines[7]?.find(({ text }) => text.includes("comment"))?.kind, "w-comment");
});

test("words of a text that does not parse are all there", () => {
  const broken = "def f(:\n  'unended\nreturn )\n";
  assert.equal(pythonWords(broken).map((words) => words.map(({ text }) => text).join("")).join("\n"), broken);
});

test("statements are whole: several lines of one ran if one of them did", () => {
  const ran = ranOf(functionsIn(PROGRAM), new Set([9, 14, 15, 19, 25]), new Set());
  const of = (...lines: number[]): (string | undefined)[] => lines.map((line) => ran.get(line));
  assert.deepEqual(of(9, 10, 14, 15, 19, 25), ["ran", "ran", "ran", "ran", "ran", "ran"]);
  assert.deepEqual(of(11, 12, 13, 17, 21), ["not run", "not run", "not run", "not run", "not run"]);
  // Docstrings, comments, `else:` and functions that were not called.
  assert.deepEqual(of(6, 7, 8, 16, 22, 24, 29, 30), Array(8).fill(undefined));
});

test("what eager runs and the capture does not hold is marked as that", () => {
  const ran = ranOf(functionsIn(PROGRAM), new Set([9, 14, 15]), new Set([15]));
  assert.deepEqual([9, 15].map((line) => ran.get(line)), ["ran", "missed"]);
});

test("lines of methods", () => {
  const ran = ranOf(functionsIn(PROGRAM), new Set([29]), new Set());
  assert.deepEqual([ran.get(29), ran.get(30), ran.get(9)], ["ran", "not run", undefined]);
});

const GRAPHS = [
  graph(0, { lines: { "m.py": "3" }, evaluated: { "m.py": "2-4", "other.py": "9" } }),
  graph(1, { lines: { "m.py": "6" }, evaluated: {} }),
  graph(2, { lines: { "other.py": "1" }, evaluated: {} }),
];

test("bands are of the graphs that the call's events name", () => {
  const bands = bandsOf(run("dynamo", [], { graphs: GRAPHS }), call({ events: [event("hit", 1)], graphs: 3 }), "m.py");
  assert.deepEqual(bands.map(({ graph: id, nodes }) => [id, [...nodes]]), [[1, [6]]]);
});

test("without such events they are of all that were there", () => {
  const bands = bandsOf(run("trace", [], { graphs: GRAPHS }), call({ graphs: 2 }), "m.py");
  assert.deepEqual(bands.map(({ graph: id, lane, all }) => [id, lane, [...all].sort()]), [
    [0, 0, [2, 3, 4]],
    [1, 1, [6]],
  ]);
});

test("the part of the file that runs is whole functions and classes, with the comments above", () => {
  const source = `import torch\n\n# about f\n# more\ndef f(x):\n    return x\n\nclass A:\n    k = 1\n\n    def g(self):\n        return 2\n\nf(1)\n`;
  assert.deepEqual(partWith(source, [6]), [3, 6]);
  assert.deepEqual(partWith(source, [12]), [8, 12]);
  assert.deepEqual(partWith(source, [6, 12]), [3, 12]);
  assert.equal(partWith(source, []), null);
});

test("a call that runs eagerly has no bands", () => {
  const limited = call({ events: [event("limit"), event("eager")], graphs: 2 });
  assert.deepEqual(bandsOf(run("dynamo", [], { graphs: GRAPHS }), limited, "m.py"), []);
  assert.equal(bandsOf(run("dynamo", [], { graphs: GRAPHS }), call({ events: [event("eager"), event("hit", 1)] }), "m.py").length, 1);
});
