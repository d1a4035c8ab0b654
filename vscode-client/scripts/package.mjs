// Makes capture-lsp-TARGET-VERSION.vsix: `npm run package [-- --target linux-x64] [--out FOLDER]`; without a target for
// this machine. PYTHON names the interpreter (with pip) that gathers the server.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { checkSize } from "./size.mjs";

const { values } = parseArgs({
  options: {
    target: { type: "string", default: `${process.platform}-${process.arch}` },
    out: { type: "string", default: "." },
  },
});
const { target, out } = values;
const run = (program, ...args) => execFileSync(program, args, { stdio: "inherit" });
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

run(process.env.PYTHON ?? (process.platform === "win32" ? "python" : "python3"), "scripts/bundle.py", target);
mkdirSync(out, { recursive: true });
const file = join(out, `capture-lsp-${target}-${version}.vsix`);
const vsce = ["node_modules/@vscode/vsce/vsce", "package", "--no-dependencies", "--target", target, "--out", file];
run(process.execPath, ...vsce, "--baseImagesUrl", "https://github.com/capture-lsp/capture-lsp/raw/HEAD/vscode-client");
console.log(checkSize(file, statSync(file).size));
