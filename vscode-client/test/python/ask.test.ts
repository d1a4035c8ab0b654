import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync, mkdirSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";

import { ask } from "../../src/python/ask";
import { pythonsOnPath } from "../../src/python/path";
import { pythons } from "./pythons";

const folder = mkdtempSync(join(tmpdir(), "capture-lsp-"));
after(() => rmSync(folder, { recursive: true }));

test("every Python here tells its version", async () => {
  const found = pythons();
  assert.notEqual(found.size, 0, "no Python 3.10 to 3.14 on PATH");
  for (const [version, path] of found) {
    const answer = await ask([path], folder);
    assert.equal(answer.version.slice(0, 2).join("."), version);
    assert.notEqual(answer.executable, "");
  }
});

test("what is no Python is told in words", async () => {
  await assert.rejects(ask([join(folder, "gone")], folder), /does not exist/);
  await assert.rejects(ask([process.execPath, "--no-such-option"], folder), /does not run: .*bad option/);
});

test("whether capture_lsp is installed is what the interpreter itself can import", async () => {
  const [path] = pythons().values();
  assert.ok(path);
  mkdirSync(join(folder, "with", "capture_lsp"), { recursive: true });
  writeFileSync(join(folder, "with", "capture_lsp", "__init__.py"), "");
  assert.equal((await ask([path], join(folder, "with"))).hasServer, true);
});

test("PATH is searched in order, but for its relative folders", { skip: process.platform === "win32" }, () => {
  for (const name of ["first/python", "second/python3", "second/python", "third/python3"]) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), name.startsWith("third") ? 0o644 : 0o755);
  }
  const PATH = [".", "third", ...["third", "first", "second"].map((name) => join(folder, name))].join(delimiter);
  assert.deepEqual(pythonsOnPath({ PATH }, "linux"), [[join(folder, "second/python3")], [join(folder, "first/python")]]);
});
