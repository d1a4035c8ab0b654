import assert from "node:assert/strict";
import { test } from "node:test";

import type { Interpreter } from "../../src/python/resolve";
import { serverCommand } from "../../src/server/command";

const found: Interpreter = { command: ["py", "-3"], version: [3, 12, 1], hasServer: true, origin: "PATH" };

test("the bundled server is run by its launcher, whatever is installed", () => {
  assert.deepEqual(serverCommand(found, "useBundled", "/launch.py"), ["py", "-3", "-I", "/launch.py", "server"]);
});

test("an installed server is run as a module, and the bundled one where there is none", () => {
  assert.deepEqual(serverCommand(found, "fromEnvironment", "/launch.py"), ["py", "-3", "-m", "capture_lsp", "server"]);
  const without = { ...found, hasServer: false };
  assert.deepEqual(serverCommand(without, "fromEnvironment", "/launch.py"), ["py", "-3", "-I", "/launch.py", "server"]);
});
