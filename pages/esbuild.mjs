// Bundles each page into one script and one style sheet that ask for nothing else; Python puts them into its pages.
// Arguments: --minify, and the pages to build (default: all that there are).
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { alias } from "./bundling.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const minify = process.argv.includes("--minify");
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const entries = (named.length > 0 ? named : ["simulator", "report"]).flatMap((page) =>
  [
    { out: page, in: `src/${page}/main.ts` },
    { out: page, in: `src/${page}/style.css` },
  ].filter((entry) => existsSync(`${here}${entry.in}`)),
);

await build({
  absWorkingDir: here,
  entryPoints: entries,
  outdir: "../capture_lsp/pages/assets",
  bundle: true,
  minify,
  platform: "browser",
  target: "es2022",
  format: "iife",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  alias,
});
