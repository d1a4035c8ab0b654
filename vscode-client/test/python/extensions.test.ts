import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { LogOutputChannel } from "vscode";

import { PythonExtensions } from "../../src/python/extensions";
import { EventEmitter, extensionsChanged, installed } from "../vscode";

// The real extensions come from a marketplace that tests do not reach: these answer as their published types say.
const PYTHON = "ms-python.python";
const ENVIRONMENTS = "ms-python.vscode-python-envs";

const chosen = new EventEmitter<void>();
const warnings: string[] = [];
const log = { warn: (text: string) => warnings.push(text) } as unknown as LogOutputChannel;

beforeEach(() => {
  installed.clear();
  warnings.length = 0;
});

function pythonExtension(path: string | undefined): () => Promise<unknown> {
  const executable = { uri: path === undefined ? undefined : { fsPath: path } };
  const environments = {
    getActiveEnvironmentPath: () => ({ id: "1", path: "unresolved" }),
    resolveEnvironment: () => Promise.resolve({ executable }),
    onDidChangeActiveEnvironmentPath: chosen.event,
    known: [{ executable }, { executable: { uri: undefined } }],
  };
  return () => Promise.resolve({ ready: Promise.resolve(), environments });
}

function environmentsExtension(path: string | undefined): () => Promise<unknown> {
  const environment = path === undefined ? undefined : { execInfo: { run: { executable: path } } };
  return () =>
    Promise.resolve({
      getEnvironment: () => Promise.resolve(environment),
      getEnvironments: () => Promise.resolve(environment ? [environment] : []),
      onDidChangeEnvironment: new EventEmitter<void>().event,
    });
}

test("without them nothing is known, and nothing is wrong", async () => {
  const python = new PythonExtensions(log);
  assert.equal(await python.active(undefined), null);
  assert.deepEqual(await python.known(), []);
  assert.equal(python.hasPicker, false);
  assert.deepEqual(warnings, []);
});

test("the Python extension's interpreter is taken, and its changes are told", async () => {
  installed.set(PYTHON, pythonExtension("/env/bin/python"));
  const python = new PythonExtensions(log);
  let changes = 0;
  python.onDidChange(() => changes++);
  assert.deepEqual(await python.active(undefined), { path: "/env/bin/python", origin: "the Python extension" });
  assert.deepEqual(await python.known(), ["/env/bin/python"]);
  chosen.fire();
  assert.equal(changes, 1);
});

test("the Python Environments extension comes first; where it knows none, the other answers", async () => {
  installed.set(PYTHON, pythonExtension("/python"));
  installed.set(ENVIRONMENTS, environmentsExtension("/environments"));
  assert.equal((await new PythonExtensions(log).active(undefined))?.path, "/environments");
  installed.set(ENVIRONMENTS, environmentsExtension(undefined));
  assert.equal((await new PythonExtensions(log).active(undefined))?.path, "/python");
});

test("one that fails to start is told of, and does without", async () => {
  installed.set(ENVIRONMENTS, () => Promise.reject(new Error("broken")));
  installed.set(PYTHON, pythonExtension(undefined));
  assert.equal(await new PythonExtensions(log).active(undefined), null);
  assert.deepEqual(warnings, ["the Python Environments extension is not used: broken"]);
});

test("one that is installed later is asked", async () => {
  const python = new PythonExtensions(log);
  assert.equal(await python.active(undefined), null);
  let changes = 0;
  python.onDidChange(() => changes++);
  extensionsChanged.fire();
  assert.equal(changes, 0);
  installed.set(PYTHON, pythonExtension("/env/bin/python"));
  extensionsChanged.fire();
  assert.equal(changes, 1);
  assert.equal((await python.active(undefined))?.path, "/env/bin/python");
});
