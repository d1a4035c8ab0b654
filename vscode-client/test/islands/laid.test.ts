import assert from "node:assert/strict";
import { test } from "node:test";

import { Laid } from "../../src/islands/laid";
import { island, view } from "./views";

const A = "file:///a.py";
const B = "file:///b.py";
const C = "file:///c.py";

test("the bands of a file change when a view that reaches into it is told anew, and only then", () => {
  const laid = new Laid((uri) => uri);
  const mine = (): ReturnType<typeof view> => view(A, { islands: [island(A, 0, [1, 2]), island(B, 0, [4, 4])] });
  const other = view(C, { islands: [island(C, 0, [1, 1])] });
  const first = mine();
  laid.update([first]);
  const [inA, inB] = [laid.of(A), laid.of(B)];
  assert.equal(inB.length, 1);

  laid.update([first, other]);
  assert.equal(laid.of(A), inA);
  assert.equal(laid.of(B), inB);

  laid.update([mine(), other]);
  assert.notEqual(laid.of(A), inA);
  assert.deepEqual(laid.of(A), inA);
  assert.notEqual(laid.of(B), inB);
});

test("a new colour is a change", () => {
  const laid = new Laid((uri) => uri);
  const f = view(A, { name: "f", islands: [island(A, 0, [1, 1]), island(B, 0, [4, 4])] });
  laid.update([f]);
  const before = laid.of(B);
  // The newest probe chooses its colour first, and g stands beside f in a.py.
  laid.update([f, view(C, { name: "g", probed: 1, islands: [island(A, 0, [0, 0])] })]);
  assert.deepEqual(before.map(({ look }) => look), ["island1"]);
  assert.deepEqual(laid.of(B).map(({ look }) => look), ["island2"]);
});

test("files without bands have the same nothing", () => {
  const laid = new Laid((uri) => uri);
  assert.equal(laid.of(A), laid.of(B));
  laid.update([view(A, { islands: [island(A, 0, [1, 2])] })]);
  assert.equal(laid.of(A).length, 1);
  laid.update([view(A)]);
  assert.equal(laid.of(A).length, 0);
});
