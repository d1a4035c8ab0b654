import assert from "node:assert/strict";
import { test } from "node:test";

import { contentSecurityPolicy, pageHtml } from "../../src/view/html";
import { toHost, toPage } from "../../src/view/messages";
import { FRESH, stateFrom } from "../../src/view/page/state";
import { view } from "./fixtures";

const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } };

for (const name of ["gated_scorer", "detector", "deep"] as const) {
  void test(`the server's answer arrives whole: ${name}`, () => {
    const told = { type: "view", uri: "file:///project/a.py", view: view(name) };
    assert.deepEqual(toPage(told), told);
  });
}

void test("a view of another form is none", () => {
  const good = view("gated_scorer");
  const told = (change: object) => toPage({ type: "view", uri: "u", view: { ...good, ...change } });
  assert.ok(told({}));
  assert.equal(told({ version: 2 }), null);
  assert.equal(told({ entries: {} }), null);
  assert.equal(told({ entries: [{ ...good.entries[0], status: "<b>" }] }), null);
  assert.equal(told({ entries: [{ ...good.entries[0], frames: [{}] }] }), null);
});

void test("the host takes messages of the page that have the right form, and only their fields", () => {
  const reveal = { type: "reveal", uri: "file:///project/a.py", range, focus: true };
  assert.deepEqual(toHost(reveal), reveal);
  assert.deepEqual(toHost({ ...reveal, command: "x" }), reveal);
  assert.deepEqual(toHost({ type: "probe", entry: null }), { type: "probe", entry: null });
  for (const bad of [
    null,
    7,
    "ready",
    {},
    { type: "constructor" },
    { type: "execute", command: "x" },
    { ...reveal, uri: 1 },
    { ...reveal, range: { start: range.start } },
    { ...reveal, range: { ...range, start: { line: NaN, character: 0 } } },
    { type: "kernel", entry: "f", index: "0" },
    { type: "compare", entry: null },
  ]) {
    assert.equal(toHost(bad), null, JSON.stringify(bad));
  }
});

void test("what the page remembers is read back, or begun anew", () => {
  const state = {
    ...FRESH,
    uri: "u",
    graphs: { "f/0/few": { open: ["m:a"], camera: { x: 1, y: 2, zoom: 0.5 }, selected: null } },
    tables: { guards: { filter: "x", order: { column: 1, descending: true } } },
  };
  assert.deepEqual(stateFrom(JSON.parse(JSON.stringify(state))), state);
  for (const bad of [undefined, null, { part: "x" }, "{}"]) assert.deepEqual(stateFrom(bad), FRESH);
});

void test("the page loads its own script and style and nothing else", () => {
  const sources = { script: 'https://x/view.js?a="&b', style: "https://x/style.css", source: "https://x", nonce: "abc" };
  const policy = contentSecurityPolicy(sources);
  assert.equal(policy, "default-src 'none'; script-src 'nonce-abc'; style-src https://x");
  const html = pageHtml(sources);
  assert.ok(!/unsafe|style="|\son\w+=/.test(html));
  assert.ok(html.includes("src=\"https://x/view.js?a=&#34;&#38;b\""));
  assert.equal(html.match(/<script/g)?.length, 1);
});
