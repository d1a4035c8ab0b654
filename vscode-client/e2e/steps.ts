/** Steps: each has a name, a line of the result, and a screenshot. */

import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";

export const artifacts = path.join(import.meta.dirname, "artifacts");

/** Something that can be photographed. */
export interface Camera {
  screenshot(file: string): Promise<void>;
}

interface Result {
  number: number;
  name: string;
  seconds: number;
  error: Error | null;
}

const results: Result[] = [];

export function clearArtifacts(): void {
  rmSync(artifacts, { recursive: true, force: true });
  mkdirSync(artifacts, { recursive: true });
}

/**
 * Runs one step. A step that fails fails the run, but not those after it: they say more about the fault.
 * The answer of the body, if any, is a remark in the line of the result.
 */
export async function step(
  number: number,
  name: string,
  camera: Camera,
  body: (shot: (suffix: string) => Promise<void>) => Promise<string | void>,
): Promise<void> {
  const start = Date.now();
  const file = (suffix: string) =>
    path.join(artifacts, `${String(number).padStart(2, "0")}-${name.replaceAll(" ", "-")}${suffix}.png`);
  let error: Error | null = null;
  let remark = "";
  try {
    remark = (await body((suffix) => camera.screenshot(file(`-${suffix}`)))) ?? "";
    // Hovers and menus fade in.
    await new Promise((resolve) => setTimeout(resolve, 400));
    await camera.screenshot(file(""));
  } catch (thrown) {
    error = thrown instanceof Error ? thrown : new Error(String(thrown));
    await camera.screenshot(file("-failed")).catch(() => undefined);
  }
  const seconds = (Date.now() - start) / 1000;
  results.push({ number, name, seconds, error });
  const line = `${error ? "FAIL" : "ok  "} ${String(number).padStart(2)} ${name} (${seconds.toFixed(1)} s)`;
  console.log(error ? `${line}\n       ${error.stack ?? error.message}` : remark ? `${line}: ${remark}` : line);
}

/** The last line, and whether all went well. */
export function summary(): { text: string; passed: boolean } {
  const failed = results.filter((result) => result.error);
  const passed = failed.length === 0 && results.length > 0;
  const names = failed.map((result) => `${result.number} ${result.name}`).join(", ");
  const counts = `${results.length - failed.length} of ${results.length} steps passed`;
  return { text: failed.length ? `${counts}; failed: ${names}` : counts, passed };
}
