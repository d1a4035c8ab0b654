import { languages, LanguageStatusSeverity, workspace, Disposable } from "vscode";

import type { ServerState } from "../protocol";
import type { Session } from "../session";

const TEXTS: Record<ServerState["state"], string> = {
  idle: "capture-lsp",
  analysing: "capture-lsp: analysing",
  probing: "capture-lsp: probing",
  error: "capture-lsp: error",
};

/** The entry in the language's status: what the server does, and the PyTorch it judges by. */
export function registerStatus(session: Session): Disposable {
  const item = languages.createLanguageStatusItem("capture-lsp", { language: "python" });
  item.name = "capture-lsp";
  item.command = { title: "Show Log", command: "capture-lsp.showLog" };
  const show = (state: ServerState): void => {
    item.text = TEXTS[state.state];
    item.busy = state.state === "analysing" || state.state === "probing";
    item.severity = state.state === "error" ? LanguageStatusSeverity.Error : LanguageStatusSeverity.Information;
    const torch = state.torch === null ? "" : `torch ${state.torch}`;
    const trust = workspace.isTrusted ? "" : "no probes: this workspace is not trusted";
    item.detail = [state.message, torch, trust].filter(Boolean).join(" · ");
  };
  show(session.state);
  return Disposable.from(session.onState(show), item);
}
