import assert from "node:assert/strict";
import { test } from "node:test";

import { duration, scaled } from "../../src/kernels/figures";
import { generated, gone, kernelHeader, title } from "../../src/kernels/generated";
import { kernelsOf } from "../../src/kernels/kernel";
import type { Graph } from "../../src/protocol";
import { entry, view } from "../islands/views";
import real from "./kernels.json";

const A = "file:///a.py";
const TRITON = {
  graph: 1,
  name: "add_one",
  language: "triton",
  source: "@triton.jit\ndef add_one(p):\n    tl.store(p, tl.load(p) + 1)\n",
  lines: { "a.py": "3-4", "b.py": "9" },
  launches: 2,
  bytes: 1_500_000,
  flops: null,
  not_fused_because: "sizes differ:\n128 and 64",
  predicted_us: 3.14159,
  measured_us: 1200,
};

test("a kernel that Inductor made for the CPU is C++ behind a comment", () => {
  const probed = view(A, { name: "f", kernels: real });
  const found = generated("kernel", probed, { uri: A, entry: "f", number: 0 });
  assert.equal(found?.language, "cpp");
  const [header = "", ...source] = found.text.split("\n\n");
  assert.deepEqual(header.split("\n"), [
    `// C++ kernel ${real[0]?.name} · graph 0 of f`,
    `// from ${real[0]?.lines}`,
    "// 1 launch · 1.02 kB moved · 384 FLOP",
  ]);
  assert.equal(source.join("\n\n").trim(), real[0]?.source.trim());
});

test("a Triton kernel is Python, and all that is known of it is told in comments", () => {
  const probed = view(A, { name: "f", stale: true, kernels: [...real, TRITON] });
  const found = generated("kernel", probed, { uri: A, entry: "f", number: real.length });
  assert.equal(found?.language, "python");
  assert.deepEqual(found.text.split("\n\n")[0]?.split("\n"), [
    "# Triton kernel add_one · graph 1 of f",
    "# from a.py:3-4, b.py:9",
    "# 2 launches · 1.5 MB moved",
    "# measured 1.2 ms · predicted 3.14 µs",
    "# not fused with others: sizes differ:",
    "# 128 and 64",
    "# the code was edited since the probe",
  ]);
});

test("nothing is told that the report lacks", () => {
  const one = entry({ name: "f", kernels: [{ name: "k" }] });
  const [kernel] = kernelsOf(one);
  assert.ok(kernel);
  assert.deepEqual(kernelHeader(kernel, one), ["Kernel k · f"]);
  assert.deepEqual(kernelsOf(entry({ kernels: null })), []);
});

test("a graph is Python code, wherever its frame stands", () => {
  const graph = (id: number, code: string): Graph => ({ id, lines: "a.py:3-4", ops: id, code, nodes: [] });
  const frame = { function: "f", at: null, skipped: false, skip_reason: "", breaks: [], guards: [] };
  const probed = view(A, { name: "f", frames: [{ ...frame, graphs: [graph(0, "zero")] }, { ...frame, graphs: [graph(1, "def forward(self): ...\n")] }] });
  const found = generated("graph", probed, { uri: A, entry: "f", number: 1 });
  assert.deepEqual(found, { language: "python", text: "# Graph 1 of f · 1 op\n# from a.py:3-4\n\ndef forward(self): ...\n" });
});

test("code that is not there is null and said to be gone", () => {
  const probed = view(A, { name: "f", kernels: real });
  for (const [kind, name, number] of [["kernel", "f", 7], ["kernel", "g", 0], ["graph", "f", 0]] as const) {
    assert.equal(generated(kind, probed, { uri: A, entry: name, number }), null);
  }
  assert.equal(gone("kernel", { uri: A, entry: "f", number: 7 }), "The newest probe of f made no kernel 7.");
});

test("a document's name has no folders and tells the language", () => {
  assert.equal(title("kernel", { uri: A, entry: "Net.forward", number: 2 }, "cpp"), "Net.forward kernel 2.cpp");
  assert.equal(title("graph", { uri: A, entry: "a/b", number: 0 }, "python"), "a_b graph 0.py");
});

test("figures have three digits", () => {
  assert.deepEqual(
    [0, 999, 999.6, 1234, 5e9].map((value) => scaled(value, "B")),
    ["0 B", "999 B", "1 kB", "1.23 kB", "5 GB"],
  );
  assert.deepEqual([0.51234, 42, 12345].map(duration), ["0.512 µs", "42 µs", "12.3 ms"]);
});
