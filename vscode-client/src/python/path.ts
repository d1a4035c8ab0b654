import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The commands that may start a Python, best first. */
export function pythonsOnPath(environment = process.env, platform = process.platform): string[][] {
  const windows = platform === "win32";
  const commands = windows ? [["py", "-3"], ["python"], ["python3"]] : [["python3"], ["python"]];
  const variable = Object.keys(environment).find((name) => (windows ? name.toUpperCase() : name) === "PATH") ?? "PATH";
  // A relative folder in PATH would make the open folder's own `python3` one that is started.
  const folders = (environment[variable] ?? "").split(delimiter).filter(isAbsolute);
  return commands.flatMap(([name = "", ...args]) => {
    const file = windows ? `${name}.exe` : name;
    const found = folders.map((folder) => join(folder, file)).find(isProgram);
    return found === undefined ? [] : [[found, ...args]];
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
