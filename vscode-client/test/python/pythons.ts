import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["python3.10", "python3.11", "python3.12", "python3.13", "python3.14", "python3"];

/** The Pythons of this machine that can run the server, one of each minor version: on PATH, or of pyenv. */
export function pythons(): Map<string, string> {
  const pyenv = join(process.env.PYENV_ROOT ?? join(process.env.HOME ?? "", ".pyenv"), "versions");
  const roots = existsSync(pyenv) ? readdirSync(pyenv).map((name) => join(pyenv, name, "bin", "python")) : [];
  const onPath = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = new Map<string, string>();
  for (const path of [...onPath, ...roots].filter(existsSync)) {
    try {
      const code = "import sys; print('%d.%d' % sys.version_info[:2])";
      const version = execFileSync(path, ["-c", code], { encoding: "utf8", stdio: "pipe" }).trim();
      if (/^3\.1[0-4]$/.test(version) && !found.has(version)) found.set(version, path);
    } catch {
      // one that does not start, as a pyenv shim of a version that is not chosen
    }
  }
  return found;
}
