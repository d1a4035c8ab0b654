import assert from "node:assert/strict";
import { test } from "node:test";

import { checkSize } from "../scripts/size.mjs";

test("a package of more than 40 MiB is refused", () => {
  assert.equal(checkSize("x.vsix", 40 * 1024 * 1024), "x.vsix: 40.0 MiB");
  assert.throws(() => checkSize("x.vsix", 40 * 1024 * 1024 + 1), /more than 40/);
});
