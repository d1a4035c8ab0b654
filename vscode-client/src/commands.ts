import { commands, Disposable, Uri, window, workspace, type TextEditor } from "vscode";

import { spelled } from "./python/version";
import type { Server } from "./server/server";

/** Commands of the palette that run one of the server's. `file`: it is given the file of the active editor. */
const FORWARDED: readonly { id: string; server: string; file: boolean; saves?: true }[] = [
  { id: "capture-lsp.probeFile", server: "capture-lsp.probe", file: true, saves: true },
  { id: "capture-lsp.compareFrontendsOfFile", server: "capture-lsp.compareFrontends", file: true, saves: true },
  { id: "capture-lsp.measureFile", server: "capture-lsp.measure", file: true, saves: true },
  { id: "capture-lsp.showReportOfFile", server: "capture-lsp.showReport", file: true },
  { id: "capture-lsp.fixFile", server: "capture-lsp.fixAll", file: true },
  { id: "capture-lsp.forgetResults", server: "capture-lsp.clearResults", file: false },
  { id: "capture-lsp.checkAllFiles", server: "capture-lsp.checkWorkspace", file: false },
  { id: "capture-lsp.restartProbes", server: "capture-lsp.restartProbe", file: false },
  { id: "capture-lsp.analyseAgain", server: "capture-lsp.restartAnalysis", file: false },
];

export function registerCommands(server: Server, selectInterpreter: () => Promise<void>): Disposable {
  const registered = FORWARDED.map((one) =>
    commands.registerCommand(one.id, (target?: unknown) =>
      guarded(async () => {
        if (!one.file) return server.execute(one.server);
        const uri = await file(target, one.saves === true);
        return uri && server.execute(one.server, uri);
      }),
    ),
  );
  return Disposable.from(
    ...registered,
    commands.registerCommand("capture-lsp.restart", () => guarded(() => server.restart())),
    commands.registerCommand("capture-lsp.showLog", () => server.log.show()),
    commands.registerCommand("capture-lsp.selectInterpreter", () => guarded(selectInterpreter)),
    commands.registerCommand("capture-lsp.showDoctor", () => guarded(() => doctor(server))),
  );
}

/** The file that a command is about: that of a menu's editor, else the active one's. */
async function file(target: unknown, save: boolean): Promise<Uri | undefined> {
  const editor: TextEditor | undefined = window.activeTextEditor;
  const uri = target instanceof Uri ? target : (editor?.document.uri ?? window.activeNotebookEditor?.notebook.uri);
  if (uri === undefined) {
    void window.showInformationMessage("capture-lsp: open a Python file first.");
    return undefined;
  }
  const document = editor?.document;
  // A probe runs the file as it is on disk.
  if (save && document?.isDirty && document.uri.toString() === uri.toString()) await document.save();
  return uri;
}

/** The server shows what it found itself; without a server what stands in its way is shown. */
async function doctor(server: Server): Promise<void> {
  const { interpreter, rejected } = server.resolved;
  const lines = [
    interpreter === null
      ? "No Python that can run the server was found: run 'capture-lsp: Select Interpreter for the Server'."
      : `The server runs on Python ${spelled(interpreter.version)} (${interpreter.origin}): ${interpreter.command.join(" ")}`,
    ...rejected.map((reason) => `not used: ${reason}`),
  ];
  if (server.running) {
    for (const line of lines) server.log.info(line);
    await server.execute("capture-lsp.doctor");
    return;
  }
  const content = [...lines, server.state.message].filter(Boolean).join("\n");
  await window.showTextDocument(await workspace.openTextDocument({ language: "plaintext", content }));
}

async function guarded(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const chosen = await window.showErrorMessage(`capture-lsp: ${message}`, "Show Log");
    if (chosen) await commands.executeCommand("capture-lsp.showLog");
  }
}
