import assert from "node:assert/strict";
import { test } from "node:test";

import { resolve, type Source } from "../../src/python/resolve";
import type { Told, Version } from "../../src/python/version";

const VERSIONS: Record<string, Version> = { "/old": [3, 8, 18], "/new": [3, 12, 1], "/newest": [3, 14, 0] };

function ask(command: readonly string[]): Promise<Told> {
  const version = VERSIONS[command[0] ?? ""];
  if (!version) return Promise.reject(new Error("does not exist"));
  return Promise.resolve({ version, executable: `/real${command[0] ?? ""}`, hasServer: false });
}

function source(origin: string, commands: string[][], verbatim = false): Source {
  return { origin, verbatim, commands: () => Promise.resolve(commands) };
}

test("the first that can run the server is taken, and those before it are told of", async () => {
  const { interpreter, rejected } = await resolve(
    [source("the setting", [["/gone"]], true), source("the editor", [["/old"]]), source("PATH", [["/new"], ["/newest"]])],
    ask,
  );
  assert.deepEqual(interpreter, { command: ["/real/new"], version: [3, 12, 1], hasServer: false, origin: "PATH" });
  assert.deepEqual(rejected, [
    "/gone (the setting) does not exist",
    "/old (the editor) is Python 3.8.18; 3.10 or later is needed",
  ]);
});

test("later sources are not asked once one has answered", async () => {
  const never: Source = { origin: "PATH", verbatim: false, commands: () => assert.fail("asked") };
  const { interpreter } = await resolve([source("the editor", [["/new"]]), never], ask);
  assert.equal(interpreter?.origin, "the editor");
});

test("a command that the user wrote is kept as it is", async () => {
  const { interpreter } = await resolve([source("the setting", [["/new", "-X", "utf8"]], true)], ask);
  assert.deepEqual(interpreter?.command, ["/new", "-X", "utf8"]);
});

test("without any there is none", async () => {
  assert.equal((await resolve([source("PATH", [["/old"]])], ask)).interpreter, null);
});
