// What the build and the tests have in common: where imports lead that do not lead into this folder.
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// Modules of the extension's capture view are bundled from where they are, with the packages of this folder.
export const alias = {
  "@dagrejs/dagre": at("node_modules/@dagrejs/dagre"),
  "@view": at("../vscode-client/src/view"),
  "@vscode-client": at("../vscode-client/src"),
};
