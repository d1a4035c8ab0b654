import type { Interpreter } from "../python/resolve";

export type ImportStrategy = "useBundled" | "fromEnvironment";

/** The command line that starts the server. */
export function serverCommand(interpreter: Interpreter, strategy: ImportStrategy, launcher: string): string[] {
  return strategy === "fromEnvironment" && interpreter.hasServer
    ? [...interpreter.command, "-m", "capture_lsp", "server"]
    : // -I: neither PYTHONPATH nor the user's site-packages may replace what is bundled.
      [...interpreter.command, "-I", launcher, "server"];
}
