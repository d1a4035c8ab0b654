import assert from "node:assert/strict";
import { test } from "node:test";

import { isNewEnough, told } from "../../src/python/version";

test("the answer is found among other output", () => {
  const output = 'Welcome\r\ncapture-lsp:[[3, 12, 1], "/usr/bin/python3", true]\r\n';
  assert.deepEqual(told(output), { version: [3, 12, 1], executable: "/usr/bin/python3", hasServer: true });
});

test("what is no answer is none", () => {
  for (const output of ["", "Python 3.12.1", "capture-lsp:", 'capture-lsp:[[3, 12], "", true]', "capture-lsp:[1, 2, 3]"]) {
    assert.equal(told(output), null, output);
  }
});

test("Python 3.10 is the oldest that will do", () => {
  const [no, yes] = [false, true];
  const cases = [
    [[2, 7, 18], no],
    [[3, 9, 18], no],
    [[3, 10, 0], yes],
    [[3, 14, 2], yes],
    [[4, 0, 0], yes],
  ] as const;
  for (const [version, wanted] of cases) assert.equal(isNewEnough(version), wanted, version.join("."));
});
