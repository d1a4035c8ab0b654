import assert from "node:assert/strict";
import { test } from "node:test";

import { duration, scaled } from "../../src/kernels/figures";
import { generated, gone, title } from "../../src/kernels/generated";
import type { Graph, Kernel } from "../../src/protocol";
import { kernelsOf } from "../../src/view/shapes";
import { entry, view } from "../islands/views";
import { entryOf, view as probed } from "../view/fixtures";

const A = "file:///a.py";
const step = entryOf(probed("measured"), "step");
const real = step.kernels ?? [];

/** As a GPU has it: what of the real one differs there. */
function triton(kernel: Kernel): Kernel {
  return {
    ...kernel,
    name: "add_one",
    language: "triton",
    source: "@triton.jit\ndef add_one(p):\n    tl.store(p, tl.load(p) + 1)\n",
    lines: "a.py:3-4, b.py:9",
    nodes: ["add"],
    launches: 2,
    bytes: 1_500_000,
    flops: 3000,
    not_fused_because: [{ with: "mul_two", why: "sizes differ:\n128 and 64" }],
    predicted_us: 3.14159,
    measured_us: 1200,
    target: "h100",
    ptx: true,
    registers: 32,
    spills: 0,
    backward: true,
  };
}

test("a kernel that Inductor made for the CPU is C++ behind a comment", () => {
  const [kernel] = real;
  assert.ok(kernel);
  const found = generated("kernel", view(A, { name: "step", kernels: real }), { uri: A, entry: "step", number: 0 });
  assert.equal(found?.language, "cpp");
  const [header = "", ...source] = found.text.split("\n\n");
  const lines = header.split("\n");
  assert.equal(lines[0], `// C++ kernel ${kernel.name} · graph 0 of step`);
  assert.equal(lines[1], `// from ${kernel.lines}`);
  assert.equal(lines[2], `// computes ${kernel.nodes.join(", ")}`);
  assert.match(lines[3] ?? "", /^\/\/ 1 launch · [\d.]+ [kM]B moved/);
  assert.equal(source.join("\n\n").trim(), kernel.source.trim());
});

test("a Triton kernel is Python, and all that is known of it is told in comments", () => {
  const [kernel] = real;
  assert.ok(kernel);
  const shown = view(A, { name: "f", stale: true, kernels: [...real, triton(kernel)] });
  const found = generated("kernel", shown, { uri: A, entry: "f", number: real.length });
  assert.equal(found?.language, "python");
  assert.deepEqual(found.text.split("\n\n")[0]?.split("\n"), [
    `# Triton kernel add_one · graph ${kernel.graph} of f, backward`,
    "# from a.py:3-4, b.py:9",
    "# computes add",
    "# 2 launches · 1.5 MB moved · 3 kFLOP",
    "# measured 1.2 ms · predicted 3.14 µs · on h100",
    "# compiles for h100 · 32 registers",
    "# not fused with mul_two: sizes differ:",
    "# 128 and 64",
    "# the code was edited since the probe",
  ]);
});

test("kernels in the form of another release of the server are none", () => {
  const other = [{ name: "k", graph: 0, lines: { "/project/m.py": "1-3" } }] as unknown as Kernel[];
  assert.deepEqual(kernelsOf(entry({ kernels: other })), []);
  assert.deepEqual(kernelsOf(entry({ kernels: null })), []);
});

test("a graph is Python code, wherever its frame stands", () => {
  const graph = (id: number, code: string): Graph => ({ id, lines: "a.py:3-4", ops: id, code, nodes: [] });
  const frame = { function: "f", at: null, skipped: false, skip_reason: "", breaks: [], guards: [] };
  const shown = view(A, { name: "f", frames: [{ ...frame, graphs: [graph(0, "zero")] }, { ...frame, graphs: [graph(1, "def forward(self): ...\n")] }] });
  const found = generated("graph", shown, { uri: A, entry: "f", number: 1 });
  assert.deepEqual(found, { language: "python", text: "# Graph 1 of f · 1 op\n# from a.py:3-4\n\ndef forward(self): ...\n" });
});

test("code that is not there is null and said to be gone", () => {
  const shown = view(A, { name: "f", kernels: real });
  for (const [kind, name, number] of [["kernel", "f", 7], ["kernel", "g", 0], ["graph", "f", 0]] as const) {
    assert.equal(generated(kind, shown, { uri: A, entry: name, number }), null);
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
