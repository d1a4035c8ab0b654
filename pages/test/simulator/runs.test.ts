import assert from "node:assert/strict";
import { test } from "node:test";

import { kindsOf } from "../../src/simulator/model/events";
import { alarmOf, figuresOf, shortNumber } from "../../src/simulator/model/figures";
import { guardRows } from "../../src/simulator/model/guards";
import { outcomeOf } from "../../src/simulator/model/outcomes";
import { Runs } from "../../src/simulator/model/runs";
import { call, event, GIVEN, graph, having, run } from "./fixture";

const NEGATED = having({ inputs: 1 });
const values = (...args: Parameters<typeof figuresOf>): string[] => figuresOf(...args).map(({ value }) => value);

test("a recorded run answers its own request alone", () => {
  const recorded = run("trace", [call(), call({ combination: NEGATED })]);
  const runs = new Runs([recorded]);
  assert.equal(runs.find({ frontend: "trace", calls: [GIVEN, NEGATED] }), recorded);
  assert.equal(runs.find({ frontend: "fx", calls: [GIVEN, NEGATED] }), null);
  assert.equal(runs.find({ frontend: "trace", calls: [NEGATED, GIVEN] }), null);
});

test("the beginning of a longer run answers where nothing was compiled later", () => {
  const hits = run("dynamo", [call(), call({ combination: NEGATED })]);
  const found = new Runs([hits]).find({ frontend: "dynamo", calls: [GIVEN] });
  assert.deepEqual(found?.calls.length, 1);
  const recompiles = run("dynamo", [call(), call({ combination: NEGATED, graphs: 2 })], { graphs: [graph(0), graph(1)] });
  assert.equal(new Runs([recompiles]).find({ frontend: "dynamo", calls: [GIVEN] }), null);
});

test("what is recorded and closest is of the same frontend, with the fewest other choices", () => {
  const runs = new Runs([
    run("fx", [call(), call({ combination: NEGATED })]),
    run("trace", [call()]),
    run("trace", [call(), call({ combination: having({ inputs: 1, sizes: [0] }) })]),
    run("trace", [call(), call({ combination: having({ inputs: 2, sizes: [0], dtype: 1 }) })]),
  ]);
  const [nearest, next] = runs.nearest({ frontend: "trace", calls: [GIVEN, NEGATED] }, 2);
  assert.deepEqual(nearest?.calls, [GIVEN, having({ inputs: 1, sizes: [0] })]);
  assert.equal(next?.frontend, "trace");
});

test("the worst case: captured whole, branch lost, answer wrong", () => {
  const lost = run("trace", [call(), call({ branches: "lost", answer: "wrong", largest: 1.5 })]);
  assert.deepEqual(values(lost, 1), ["whole", "lost", "wrong", "none"]);
  assert.deepEqual(values(lost, 0), ["whole", "same way", "right", "none"]);
  assert.equal(alarmOf(lost, 0), null);
  assert.match(alarmOf(lost, 1)?.title ?? "", /graph looks fine, and the answer is wrong/);
  assert.equal(alarmOf(lost, 1)?.tone, "bad");
  assert.deepEqual(outcomeOf(lost, 1).words, "wrong, branch lost");
});

test("a branch that is lost without harm is said more quietly", () => {
  const chance = run("trace", [call(), call({ branches: "lost" })]);
  assert.equal(alarmOf(chance, 1)?.tone, "poor");
  assert.equal(outcomeOf(chance, 1).value, "lost");
});

test("a constant that is no longer true is named", () => {
  const frozen = [{ line: 3, what: "item()", kind: "conversion", captured: "0.7", now: "0.1", differs: true }];
  const wrong = run("trace", [call(), call({ answer: "wrong", frozen })]);
  assert.match(alarmOf(wrong, 1)?.text ?? "", /holds item\(\) as constants/);
});

test("a visible refusal raises no alarm", () => {
  const refused = run("script", [call({ answer: "refused", branches: "refused", graphs: 0 })], { captured: "refused", message: "no", graphs: [] });
  assert.deepEqual(values(refused, 0), ["refused", "refused", "refused", "none"]);
  assert.equal(alarmOf(refused, 0), null);
  assert.equal(outcomeOf(refused, 0).value, "refused");
});

test("a call that the run did not come to is not known", () => {
  const ended = run("dynamo", [call()], { message: "killed" });
  assert.deepEqual(values(ended, 1), ["whole", "unknown", "unknown", "unknown"]);
  assert.equal(outcomeOf(ended, 1).value, "ended");
});

const RECOMPILE = { path: "m.py", line: 2, function: "f", call: 1, guard: "L['x'].size()[0] == 4", dimension: "x.shape[0]", limit_reached: false };

test("recompiles are counted, and the limit comes before them", () => {
  const recompiled = run("dynamo", [call(), call({ recompiles: [RECOMPILE] }), call({ recompiles: [RECOMPILE], limit: true })]);
  assert.equal(values(recompiled, 1)[3], "recompiled");
  assert.equal(figuresOf(recompiled, 1)[3]?.word, "1 recompile");
  assert.equal(values(recompiled, 2)[3], "limit");
});

test("a guard that failed is marked; one that is not in the table is on top of it", () => {
  const guards = [
    { kind: "SHAPE", source: "L['x']", expression: 'L["x"].size()[0] == 4', path: null, line: null },
    { kind: "TYPE", source: "L['x']", expression: "isinstance(L['x'], Tensor)", path: null, line: null },
  ];
  assert.deepEqual(guardRows(guards, call()).map(({ failed }) => failed), [false, false]);
  assert.deepEqual(guardRows(guards, call({ recompiles: [RECOMPILE] })).map(({ failed }) => failed), [true, false]);
  const unknown = guardRows(guards, call({ recompiles: [{ ...RECOMPILE, guard: "tensor 'x' size mismatch" }] }));
  assert.deepEqual(unknown.map(({ expression, failed }) => [expression, failed]), [
    ["tensor 'x' size mismatch", true],
    ['L["x"].size()[0] == 4', false],
    ["isinstance(L['x'], Tensor)", false],
  ]);
});

test("of a call's events each kind is named once, what weighs most first", () => {
  const events = [event("hit", 0), event("break"), event("recompile", 1), event("hit", 2)];
  assert.deepEqual(kindsOf(call({ events })), ["recompile", "break", "hit"]);
});

test("numbers are short", () => {
  assert.deepEqual([0, 1.46234, -0.5, 1e-9, 12345678].map(shortNumber), ["0", "1.462", "−0.5", "1.00e−9", "1.23e+7"]);
});
