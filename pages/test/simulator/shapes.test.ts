import assert from "node:assert/strict";
import { test } from "node:test";

import { decoded } from "../../src/common/data";
import { pageShape } from "../../src/simulator/shapes";
import { call, CONTROLS, graph, run } from "./fixture";

const SURVEY = { controls: CONTROLS, source: "", path: "m.py", entry: "f", inputs_text: "" };
const PAGE = { survey: SURVEY, runs: [run("trace", [call()])], live: false, title: "", teaching: "", gallery: [] };

test("the page's data is taken as it is", () => {
  const whole = { ...PAGE, torch: "2.13", command: "run", recorded: "all", made_up: true };
  assert.deepEqual(decoded(pageShape, whole), whole);
  assert.deepEqual(decoded(pageShape, PAGE), { ...PAGE, torch: null, command: null, recorded: null, made_up: null });
});

test("other data is refused", () => {
  assert.equal(decoded(pageShape, null), null);
  assert.equal(decoded(pageShape, { ...PAGE, runs: [{}] }), null);
  assert.equal(decoded(pageShape, { ...PAGE, runs: [{ $shared: 3 }], shared: [] }), null);
});

test("shared parts stand where they belong, as one object", () => {
  const [one] = PAGE.runs;
  const runs = [1, 2].map(() => ({ ...one, graphs: [{ $shared: 0 }] }));
  const found = decoded(pageShape, { ...PAGE, runs, shared: [graph(5)] });
  assert.equal(found?.runs[0]?.graphs[0]?.id, 5);
  assert.equal(found.runs[0].graphs[0], found.runs[1]?.graphs[0]);
});
