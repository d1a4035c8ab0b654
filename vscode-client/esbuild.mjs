// Bundles the extension (for the extension host) and the capture view's page (for its webview).
import { build } from "esbuild";

const minify = process.argv.includes("--minify");
const common = { bundle: true, minify, sourcemap: minify ? false : "linked", logLevel: "warning", legalComments: "none" };

await Promise.all([
  build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    platform: "node",
    target: "node18",
    format: "cjs",
    external: ["vscode"],
  }),
  build({
    ...common,
    entryPoints: { view: "src/view/page/main.ts", style: "src/view/page/style.css" },
    outdir: "dist/view",
    platform: "browser",
    target: "es2022",
    format: "iife",
  }),
]);
