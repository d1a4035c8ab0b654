import { execFile } from "node:child_process";

import { QUESTION, told, type Told } from "./version";

/** Long enough for a first start from a slow disk. */
const LIMIT_MS = 30_000;

/** Starts an interpreter to ask for its version; rejects with a reason in words. `folder`: its working directory. */
export function ask(command: readonly string[], folder: string): Promise<Told> {
  const [program = "", ...args] = command;
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, timeout: LIMIT_MS, windowsHide: true };
    execFile(program, [...args, "-c", QUESTION], options, (error, output, errors) => {
      const answer = told(output);
      if (answer !== null) resolve(answer);
      else reject(new Error(reason(error, errors)));
    });
  });
}

function reason(error: (Error & { code?: unknown; killed?: boolean }) | null, errors: string): string {
  if (error?.killed) return `gave no answer within ${LIMIT_MS / 1000} s`;
  if (error?.code === "ENOENT") return "does not exist";
  const last = errors.trim().split(/\r?\n/).at(-1);
  return last ? `does not run: ${last}` : "is no Python";
}
