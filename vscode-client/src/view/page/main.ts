import { toPage } from "../messages";
import { App } from "./app";
import { stateFrom } from "./state";

const vscode = acquireVsCodeApi();
const root = document.getElementById("app");
if (root !== null) {
  const app = new App(root, stateFrom(vscode.getState()), {
    post: (message) => vscode.postMessage(message),
    remember: (state) => {
      vscode.setState(state);
    },
  });
  addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = toPage(data);
    if (message !== null) app.take(message);
  });
  vscode.postMessage({ type: "ready" });
}
