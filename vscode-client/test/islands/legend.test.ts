import assert from "node:assert/strict";
import { test } from "node:test";

import { layOut, type Band } from "../../src/islands/bands";
import { label, legend, OPEN_VIEW } from "../../src/islands/legend";
import type { Entry } from "../../src/protocol";
import { island, view } from "./views";

const A = "file:///a%20(1).py";

function first(...entries: Partial<Entry>[]): Band {
  const band = layOut([view(A, ...entries)], (uri) => uri).get(A)?.[0];
  assert.ok(band);
  return band;
}

function argumentsOf(link: string | undefined): unknown {
  return JSON.parse(decodeURIComponent(link ?? ""));
}

test("a legend says which graph, of which probe, and links to the capture view", () => {
  const text = legend(first({ name: "Net.forward", islands: [island(A, 0, [1, 2])] }));
  assert.match(text, /^\*\*graph 0 · 4 ops\*\* in `f` · probe of `Net\.forward`\n\n/);
  const link = new RegExp(`\\[Open the capture view\\]\\(command:${OPEN_VIEW.replace(".", "\\.")}\\?([^()\\s]+)\\)$`).exec(text);
  assert.deepEqual(argumentsOf(link?.[1]), [A, "Net.forward"]);
});

test("a legend lists all islands of a line, with a link for each probe", () => {
  const text = legend(
    first({ name: "f", probed: 2, islands: [island(A, 0, [1, 1]), island(A, "eager", [1, 1])] }, { name: "g", islands: [island(A, 3, [1, 1])] }),
  );
  const lines = text.split("\n\n");
  assert.deepEqual(
    lines.slice(0, 3).map((line) => line.split("**")[1]),
    ["eager: why", "graph 0 · 4 ops", "graph 3 · 4 ops"],
  );
  assert.equal(lines.length, 5);
});

test("what the code says is no Markdown", () => {
  const risky = { ...island(A, "eager", [1, 1]), label: "runs eagerly: [x](command:y)\n# `a*b`", function: "a`b" };
  const [told] = legend(first({ islands: [risky] })).split("\n\n");
  assert.ok(told?.startsWith("**runs eagerly: \\[x\\]\\(command:y\\) \\# \\`a\\*b\\`** in `` a`b ``"), told);
});

test("a stale result says so", () => {
  const band = first({ stale: true, islands: [island(A, 0, [1, 1])] });
  assert.equal(label(band), "graph 0 · 4 ops (old)");
  assert.match(legend(band), /edited since the probe.*Probe again/);
  assert.doesNotMatch(legend(first({ islands: [island(A, 0, [1, 1])] })), /edited/);
});

test("a label is one short line", () => {
  const long = { ...island(A, "skipped", [1, 1]), label: `skipped: ${"very ".repeat(30)}\nlong` };
  const text = label(first({ islands: [long] }));
  assert.ok(text.length <= 60);
  assert.ok(text.endsWith("…"));
  assert.ok(!text.includes("\n"));
});
