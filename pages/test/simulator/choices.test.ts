import assert from "node:assert/strict";
import { test } from "node:test";

import { combinationFrom, combinationKey, distance, givenCombination, wordsOf } from "../../src/simulator/model/combination";
import { hashOf, stateFrom } from "../../src/simulator/model/hash";
import {
  called,
  calledAgain,
  capturedWith,
  currentOf,
  firstState,
  keeping,
  MOST_CALLS,
  requestOf,
  startedOver,
  type State,
} from "../../src/simulator/model/state";
import { waysOf } from "../../src/simulator/model/ways";
import { CONTROLS, GIVEN, having } from "./fixture";

const start = firstState(CONTROLS);

test("a way leads to the inputs that take it and change the other decisions least", () => {
  assert.deepEqual(waysOf(CONTROLS, 0, 0), [
    { way: "True", inputs: 0, chosen: true },
    { way: "False", inputs: 1, chosen: false },
    { way: "False, True", inputs: 4, chosen: false },
  ]);
  // From "x large", where the second decision is True, it stays so.
  assert.equal(waysOf(CONTROLS, 0, 2).find(({ way }) => way === "False")?.inputs, 3);
});

test("a way that no tried inputs take has none", () => {
  const controls = { ...CONTROLS, inputs: CONTROLS.inputs.slice(0, 2) };
  assert.deepEqual(waysOf(controls, 1, 0).map(({ way, inputs }) => [way, inputs]), [
    ["True", null],
    ["False", 0],
  ]);
});

test("a decision that is always visited several times has no plain way", () => {
  const inputs = ["True, False", "False, True"].map((way) => ({ name: way, ways: [way] }));
  assert.deepEqual(waysOf({ ...CONTROLS, inputs }, 0, 0).map(({ way }) => way), ["True, False", "False, True"]);
});

test("where a decision is not reached, none of its ways is chosen", () => {
  assert.ok(waysOf(CONTROLS, 1, 4).every(({ chosen }) => !chosen));
});

test("as given is what the program's inputs have, wherever that stands among the values", () => {
  assert.deepEqual(givenCombination(CONTROLS), GIVEN);
  assert.equal(wordsOf(GIVEN, CONTROLS), "as given");
});

test("what is otherwise than given is said", () => {
  const words = wordsOf(having({ inputs: 1, sizes: [3], numbers: [0], dtype: 1, mode: 1 }), CONTROLS);
  assert.equal(words, "x negated, x.shape[0] = 8, k = 1, torch.float64, eval mode");
});

test("a combination's key leads back to it, and no other text to any", () => {
  const combination = having({ inputs: 3, sizes: [0] });
  assert.deepEqual(combinationFrom(combinationKey(combination), CONTROLS), combination);
  for (const key of ["", "0", "9-2-1-0-0", "0-9-1-0-0", "0-2.2-1-0-0", "0-2-1-0-2", "0-2-1--0", "a-2-1-0-0", "0x0-2-1-0-0", "0.5-2-1-0-0", "-1-2-1-0-0"]) {
    assert.equal(combinationFrom(key, CONTROLS), null, key);
  }
});

test("without sizes, numbers and modes the key is as good", () => {
  const controls = { ...CONTROLS, sizes: [], numbers: [], modes: [] };
  const given = givenCombination(controls);
  assert.deepEqual(combinationFrom(combinationKey(given), controls), given);
});

test("the distance counts the controls that differ", () => {
  assert.equal(distance(GIVEN, GIVEN), 0);
  assert.equal(distance(GIVEN, having({ inputs: 1, sizes: [0], mode: 1 })), 3);
});

test("at first the program is captured as given, by torch.compile", () => {
  assert.deepEqual(requestOf(start), { frontend: "dynamo", calls: [GIVEN] });
});

test("a change is one call after the capture; another change takes its place; back is no call", () => {
  const once = called(start, having({ inputs: 1 }));
  assert.deepEqual(requestOf(once).calls, [GIVEN, having({ inputs: 1 })]);
  const twice = called(once, having({ inputs: 2 }));
  assert.deepEqual(requestOf(twice).calls, [GIVEN, having({ inputs: 2 })]);
  assert.deepEqual(requestOf(called(twice, GIVEN)).calls, [GIVEN]);
});

test("while calls are kept, each change is one more call", () => {
  let state = keeping(start, true);
  for (const inputs of [1, 2, 0]) state = called(state, having({ inputs }));
  assert.deepEqual(requestOf(state).calls.map(({ inputs }) => inputs), [0, 1, 2, 0]);
  assert.equal(state.shown, 3);
  assert.equal(called(state, having({ inputs: 0 })), state);
});

test("a change is made from the call that is shown", () => {
  let state = keeping(start, true);
  state = called(state, having({ inputs: 1 }));
  state = called(state, having({ inputs: 2 }));
  assert.equal(currentOf({ ...state, shown: 1 }).inputs, 1);
  assert.equal(called({ ...state, shown: 1 }, having({ inputs: 1 })).calls.length, 3);
  assert.equal(called({ ...state, shown: 1 }, having({ inputs: 2 })).calls.length, 4);
});

test("the same call again begins a history", () => {
  const state = calledAgain(start);
  assert.deepEqual([state.calls, state.keep, state.shown], [[GIVEN, GIVEN], true, 1]);
});

test("a history ends somewhere", () => {
  let state: State = start;
  for (let index = 0; index < MOST_CALLS + 5; index++) state = calledAgain(state);
  assert.equal(state.calls.length, MOST_CALLS);
  assert.equal(called(state, having({ inputs: 1 })).calls.length, MOST_CALLS);
});

test("what is shown becomes the captured call; starting over takes what is given", () => {
  const state = capturedWith(called(start, having({ inputs: 1 })));
  assert.deepEqual([state.calls, state.shown], [[having({ inputs: 1 })], 0]);
  assert.deepEqual(startedOver({ ...state, frontend: "trace" }, CONTROLS).calls, [GIVEN]);
});

test("without keeping, the capture and the call that is shown are left", () => {
  let state = keeping(start, true);
  for (const inputs of [1, 2, 3]) state = called(state, having({ inputs }));
  state = keeping({ ...state, shown: 2 }, false);
  assert.deepEqual([state.calls.map(({ inputs }) => inputs), state.shown, state.keep], [[0, 2], 1, false]);
});

test("a link shows the same", () => {
  let state = keeping(start, true);
  for (const inputs of [1, 2]) state = called(state, having({ inputs }));
  for (const one of [start, state, { ...state, shown: 1, tab: "guards", frontend: "trace" } as const]) {
    assert.deepEqual(stateFrom(hashOf(one), CONTROLS), one);
  }
});

test("a link that these controls do not have is none", () => {
  for (const hash of ["", "#", "#frontend=dynamo", "#frontend=fx&calls=0-2-1-0-0", "#frontend=dynamo&calls=0-7-1-0-0", "#frontend=dynamo&calls=0-2-1-0-0_"]) {
    assert.equal(stateFrom(hash, CONTROLS), null, hash);
  }
  assert.equal(stateFrom("#frontend=dynamo&calls=0-2-1-0-0&call=7&tab=nowhere", CONTROLS)?.shown, 0);
});
