/** What an interpreter says of itself. */
export interface Told {
  version: Version;
  /** `sys.executable` */
  executable: string;
  /** Whether it can import the package `capture_lsp`. */
  hasServer: boolean;
}

export type Version = readonly [major: number, minor: number, micro: number];

/** The oldest Python that runs the server. */
export const OLDEST: Version = [3, 10, 0];

/** Asks for exactly what `told` reads; any Python, however old, can parse it. */
export const QUESTION = `
import json, sys
found = False
if sys.version_info >= (3, 10):
    import importlib.util
    found = importlib.util.find_spec("capture_lsp") is not None
print("capture-lsp:" + json.dumps([list(sys.version_info[:3]), sys.executable, found]))
`;

/** The answer in what an interpreter printed, among which may be other lines; null if there is none. */
export function told(output: string): Told | null {
  const line = output.split(/\r?\n/).find((one) => one.startsWith("capture-lsp:"));
  if (line === undefined) return null;
  try {
    const answer: unknown = JSON.parse(line.slice("capture-lsp:".length));
    if (!Array.isArray(answer)) return null;
    const [version, executable, hasServer] = answer as unknown[];
    if (!Array.isArray(version) || version.length !== 3 || !version.every(Number.isInteger)) return null;
    if (typeof executable !== "string" || typeof hasServer !== "boolean") return null;
    return { version: version as unknown as Version, executable, hasServer };
  } catch {
    return null;
  }
}

export function isNewEnough(version: Version): boolean {
  return version[0] > OLDEST[0] || (version[0] === OLDEST[0] && version[1] >= OLDEST[1]);
}

export function spelled(version: Version): string {
  return version.join(".");
}
