import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

import { pythons } from "./python/pythons";

const LAUNCHER = resolve("bundled/launch.py");
const folder = mkdtempSync(join(tmpdir(), "capture-lsp-"));
after(() => rmSync(folder, { recursive: true }));

// The server as it is packed for this machine; `npm run package` makes it anew.
before(() => {
  if (existsSync("bundled/libs")) return;
  const python = process.env.PYTHON ?? (process.platform === "win32" ? "python" : "python3");
  execFileSync(python, ["scripts/bundle.py", `${process.platform}-${process.arch}`], { stdio: "pipe" });
});

for (const [version, python] of pythons()) {
  test(`the bundled server answers under Python ${version}`, async () => {
    // Neither this folder nor PYTHONPATH may lead to another server.
    const env = { ...process.env, PYTHONPATH: resolve("..") };
    const server = spawn(python, ["-I", LAUNCHER, "server", "--stdio"], { cwd: folder, env });
    const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
    connection.listen();
    try {
      const ended = new Promise((done) => server.once("exit", done));
      const answer = await connection.sendRequest<{ serverInfo: { name: string } }>("initialize", {
        processId: process.pid,
        rootUri: null,
        capabilities: {},
        initializationOptions: { captureView: true },
      });
      assert.equal(answer.serverInfo.name, "capture-lsp");
      await connection.sendRequest("shutdown");
      await connection.sendNotification("exit");
      assert.equal(await ended, 0);
    } finally {
      connection.dispose();
      server.kill();
    }
  });

  test(`under Python ${version} nothing is imported but the bundle and the standard library`, () => {
    const code = [
      "import runpy, sys",
      "before = set(sys.modules)  # files in site-packages may import what they like when Python starts",
      "sys.argv[:] = ['launch.py', '--version']",
      "try:",
      `    runpy.run_path(${JSON.stringify(LAUNCHER)}, run_name='__main__')`,
      "except SystemExit:",
      "    pass",
      "import capture_lsp.server.main, libcst",
      "capture_lsp.server.main.build()",
      "files = [getattr(m, '__file__', None) or '' for n, m in list(sys.modules.items()) if n not in before]",
      "print([f for f in files if '-packages' in f], file=sys.__stderr__, flush=True)",
    ].join("\n");
    const done = spawnSync(python, ["-I", "-c", code], { cwd: folder, encoding: "utf8" });
    assert.match(done.stdout, /^capture-lsp \d/);
    assert.equal(done.stderr.trim(), "[]");
  });
}

test("a Python that libcst was not compiled for is told in one line", () => {
  const [python] = pythons().values();
  assert.ok(python);
  cpSync("bundled/launch.py", join(folder, "launch.py"));
  const incomplete = spawnSync(python, ["-I", join(folder, "launch.py"), "server"], { encoding: "utf8" });
  assert.match(incomplete.stderr, /^capture-lsp: the extension is incomplete .*: install it again\n$/);
  cpSync("bundled/libs/libcst/__init__.py", join(folder, "libs/libcst/__init__.py"));
  const without = spawnSync(python, ["-I", join(folder, "launch.py"), "server"], { encoding: "utf8" });
  assert.match(without.stderr, /^capture-lsp: the extension has no libcst for cpython .*Select Interpreter.*\n$/);
  assert.equal(without.status, 1);
});
