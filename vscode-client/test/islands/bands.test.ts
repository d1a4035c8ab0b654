import assert from "node:assert/strict";
import { test } from "node:test";

import { COLOURS, layOut, type Band } from "../../src/islands/bands";
import type { CaptureView } from "../../src/protocol";
import { island, view } from "./views";

const A = "file:///a.py";
const B = "file:///b.py";

function bands(...views: CaptureView[]): Map<string, Band[]> {
  return layOut(views, (uri) => uri.replace("%2E", "."));
}

function brief(found: readonly Band[] | undefined): string[] {
  return (found ?? []).map(({ start, end, look, first }) => `${start}-${end} ${look}${first ? " first" : ""}`);
}

test("each island has a band, and its first lines are marked", () => {
  const found = bands(
    view(A, { islands: [island(A, 0, [1, 3], [6, 6]), island(A, "eager", [4, 4]), island(A, "skipped", [8, 9]), island(A, 1, [11, 12])] }),
  );
  assert.deepEqual(brief(found.get(A)), [
    "1-3 island1 first",
    "4-4 eager first",
    "6-6 island1 first",
    "8-9 skipped first",
    "11-12 island2 first",
  ]);
});

test("a gap within an island begins no new one", () => {
  assert.deepEqual(brief(bands(view(A, { islands: [island(A, 0, [1, 2], [5, 6])] })).get(A)), ["1-2 island1 first", "5-6 island1"]);
});

test("a range that ends at the beginning of a line is without that line", () => {
  const whole = island(A, 0);
  whole.ranges = [{ start: { line: 1, character: 0 }, end: { line: 3, character: 0 } }];
  assert.deepEqual(brief(bands(view(A, { islands: [whole] })).get(A)), ["1-2 island1 first"]);
});

test("what a line shares with a graph stands before the graph, and both are told", () => {
  const [first, second, third] = bands(view(A, { islands: [island(A, 0, [1, 3]), island(A, "eager", [2, 2])] })).get(A) ?? [];
  assert.equal(first?.look, "island1");
  assert.equal(second?.look, "eager");
  assert.deepEqual(second.shown.map((one) => one.island.kind), ["eager", "graph"]);
  assert.equal(third?.look, "island1");
});

test("of two probes of the same lines the newer gives the band", () => {
  const old = { name: "old", probed: 1, islands: [island(A, "eager", [1, 2])] };
  const young = { name: "young", probed: 2, islands: [island(A, 0, [2, 3])] };
  const found = bands(view(A, old, young)).get(A) ?? [];
  assert.deepEqual(brief(found), ["1-1 eager first", "2-2 island1 first", "3-3 island1"]);
  assert.deepEqual(found[1]?.shown.map(({ probed }) => probed.name), ["young", "old"]);
});

test("graphs that follow one another differ in colour, whatever their numbers", () => {
  const found = bands(
    view(
      A,
      { name: "f", islands: [island(A, 0, [0, 0]), island(A, COLOURS, [1, 1])] },
      { name: "g", islands: [island(A, 0, [3, 3]), island(A, 1, [5, 5])] },
    ),
  ).get(A);
  const looks = (found ?? []).map(({ look }) => look);
  assert.equal(looks.length, 4);
  for (const [nth, look] of looks.slice(1).entries()) assert.notEqual(look, looks[nth]);
});

test("a graph over two files has the same colour in both, under any writing of their URIs", () => {
  const found = bands(
    view(A, { islands: [island(A, 0, [1, 1]), island(A, 1, [2, 2]), island("file:///b%2Epy", 1, [7, 8])] }),
    view(B, { name: "g", islands: [island(B, 0, [5, 5])] }),
  );
  assert.deepEqual([...found.keys()].sort(), [A, B]);
  assert.equal(found.get(B)?.find(({ start }) => start === 7)?.look, found.get(A)?.[1]?.look);
  assert.equal(found.get(B)?.length, 2);
});

test("stale results have looks of their own", () => {
  const found = bands(view(A, { stale: true, islands: [island(A, 0, [1, 1]), island(A, "skipped", [2, 2])] })).get(A);
  assert.deepEqual(brief(found), ["1-1 island1Stale first", "2-2 skippedStale first"]);
});

test("nothing probed, no bands", () => {
  assert.equal(bands(view(A)).size, 0);
});
