// Bundles every test/**/*.test.ts and runs it under Node's own test runner.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { alias } from "../bundling.mjs";

const out = "build/test";
rmSync(out, { recursive: true, force: true });
const wanted = process.argv.slice(2);
const files = wanted.length
  ? wanted
  : readdirSync("test", { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `test/${name}`);
await build({
  entryPoints: files,
  outdir: out,
  outbase: "test",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  sourcemap: "inline",
  logLevel: "warning",
  alias,
});
const bundles = files.map((file) => file.replace(/^test/, out).replace(/\.ts$/, ".cjs"));
process.exit(spawnSync(process.execPath, ["--enable-source-maps", "--test", ...bundles], { stdio: "inherit" }).status ?? 1);
