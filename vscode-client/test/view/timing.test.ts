import assert from "node:assert/strict";
import { test } from "node:test";

import type { Timing, Without } from "../../src/protocol";
import { urisOf } from "../../src/view/model/places";
import * as words from "../../src/view/model/timing";
import { captureView } from "../../src/view/shapes";
import { entryOf, view } from "./fixtures";

const measured = view("measured");
const step = entryOf(measured, "step");
const source = 'if y.sum() > 0:|print("step")'.split("|");

function timing(): Timing {
  assert.ok(step.timing);
  return step.timing;
}

/** The first variant of the real probe, with other figures. */
function without(changed: Partial<Without>): Without {
  const [first] = timing().without;
  assert.ok(first);
  return { ...first, ...changed };
}

void test("the server's answer is what the protocol declares", () => {
  const read = captureView(measured, "view");
  assert.deepEqual(entryOf(read, "step"), step);
});

void test("a probe of an older release, or of one that is not known, has no times", () => {
  const newer = new Set(["settings", "graph_costs", "cudagraphs", "kernel_errors"]);
  const older = Object.fromEntries(Object.entries({ ...step, timing: { eager: 1 } }).filter(([name]) => !newer.has(name)));
  const read = captureView({ ...measured, entries: [older] }, "view").entries[0];
  assert.ok(read);
  assert.deepEqual([read.timing, read.settings, read.graph_costs, read.cudagraphs, read.kernel_errors], [null, null, null, null, null]);
  assert.deepEqual(read.kernels, step.kernels);
  assert.ok(words.isMeasured(read));
  assert.ok(!words.isMeasured({ ...read, kernels: null }));
});

void test("each break has its variant, at its line", () => {
  const single = timing().without.filter(({ breaks }) => breaks.length === 1);
  assert.deepEqual(
    single.map(({ breaks }) => breaks[0]?.line),
    ["10", "12"],
  );
  for (const [index, { breaks }] of single.entries()) {
    const at = breaks[0]?.at;
    assert.ok(at);
    assert.equal(at.range.end.character - at.range.start.character, source[index]?.length);
    assert.ok(urisOf(measured).has(at.uri));
  }
  assert.deepEqual(single.map(({ how }) => how), ["answered", "fix"]);
  assert.ok(timing().without.some(({ breaks }) => words.linesOf(breaks) === "10 and 12"));
});

void test("a difference is claimed only where the verdict claims it", () => {
  const base: Timing = { ...timing(), ratio: 1.314, low: 1.2, high: 1.4, verdict: "faster" };
  assert.equal(words.speedup(base), "1.31× (1.20–1.40)");
  assert.equal(words.times(0.00168), "0.0017×");
  assert.equal(words.speedup({ ...base, ratio: 1.02, low: 0.97, high: 1.06, verdict: "no difference measured" }), "no difference measured: 1.02× (0.97–1.06)");
  assert.equal(words.speedup({ ...base, ratio: null, verdict: "not measured" }), "not measured");
  const gained = without({ ratio: 1.58, gain: 1.206, gain_low: 1.15, gain_high: 1.27, verdict: "faster" });
  assert.equal(words.change(base, gained), "1.31× → 1.58×, gain 1.21× (1.15–1.27)");
  assert.equal(words.change(base, { ...gained, verdict: "no difference measured" }), "no difference measured");
});

void test("what is predicted is marked, whatever else is known", () => {
  const kernel = step.kernels?.[0];
  const graph = step.graph_costs?.[0];
  assert.ok(kernel && graph);
  assert.equal(words.timeOf({ ...kernel, predicted_us: 3.14159, measured_us: null }), "predicted 3.14 µs");
  assert.equal(words.timeOf({ ...kernel, predicted_us: 3.14159, measured_us: 4 }), "measured 4 µs, predicted 3.14 µs");
  assert.match(words.ofGraph({ ...graph, predicted_ratio: 2.1, target: "h100" }), / · predicted 2\.10× on h100$/);
  assert.equal(words.skipText({ graph: 0, subject: "x", reason: "is on the CPU", at: null, predicted: true }), "x: is on the CPU (predicted)");
});

void test("fused kernels are fewer than launches without compilation", () => {
  const graphs = step.graph_costs ?? [];
  assert.ok(graphs.length > 0);
  for (const cost of graphs) assert.match(words.ofGraph(cost), new RegExp(`^${cost.eager_launches} launch(es)? eagerly → ${cost.fused_launches} kernels?`));
  const kernels = (step.kernels ?? []).filter(({ graph }) => graph === 0);
  assert.equal(kernels.reduce((sum, { launches }) => sum + launches, 0), graphs[0]?.fused_launches);
});

void test("figures are short", () => {
  assert.deepEqual(
    [words.figure(0.123456), words.figure(12345), words.magnitude(1536000), words.magnitude(12)],
    ["0.123", "12345", "1.54 M", "12 "],
  );
});
