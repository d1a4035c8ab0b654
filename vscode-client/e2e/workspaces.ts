/** Folders that the scenarios open: copies of the repository's examples, with an interpreter of their own. */

import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "./processes.ts";

const repository = path.resolve(import.meta.dirname, "..", "..");

/** A workspace with these examples, whose setting `python` is this interpreter (none: it is not set). */
export function makeWorkspace(folder: string, examples: string[], python: string | null): string {
  mkdirSync(path.join(folder, ".vscode"), { recursive: true });
  for (const name of examples) copyFileSync(path.join(repository, "examples", name), path.join(folder, name));
  const settings = python === null ? {} : { "capture-lsp.python": python };
  writeFileSync(path.join(folder, ".vscode", "settings.json"), JSON.stringify(settings, null, 2));
  return folder;
}

/** A notebook of code cells. */
export function makeNotebook(file: string, cells: string[]): void {
  const notebook = {
    cells: cells.map((source, index) => ({
      cell_type: "code",
      execution_count: null,
      id: `cell-${index}`,
      metadata: {},
      outputs: [],
      source: source.split(/(?<=\n)/),
    })),
    metadata: { language_info: { name: "python" } },
    nbformat: 4,
    nbformat_minor: 5,
  };
  writeFileSync(file, JSON.stringify(notebook, null, 1));
}

/** A Python environment in which nothing is installed; its interpreter. */
export async function makeBareEnvironment(folder: string, python: string, log: string): Promise<string> {
  await run(python, ["-m", "venv", "--without-pip", folder], { log });
  return path.join(folder, "bin", "python");
}

/** An interpreter that takes down each of its starts and then is the real one. */
export class Sentinel {
  readonly python: string;
  readonly #record: string;

  /** `folder` becomes what looks like a virtual environment. */
  constructor(folder: string, record: string, python: string) {
    this.#record = record;
    this.python = path.join(folder, "bin", "python");
    mkdirSync(path.dirname(this.python), { recursive: true });
    writeFileSync(path.join(folder, "pyvenv.cfg"), `home = ${path.dirname(python)}\n`);
    writeFileSync(this.python, `#!/bin/sh\necho "$@" >>'${record}'\nexec '${python}' "$@"\n`);
    chmodSync(this.python, 0o755);
    copyFileSync(this.python, path.join(folder, "bin", "python3"));
    chmodSync(path.join(folder, "bin", "python3"), 0o755);
  }

  starts(): string[] {
    if (!existsSync(this.#record)) return [];
    return readFileSync(this.#record, "utf8").split("\n").filter(Boolean);
  }
}
