import { commands, env, Uri, window, workspace, ConfigurationTarget, type QuickPickItem } from "vscode";

import { SECTION } from "../server/configuration";
import type { PythonExtensions } from "./extensions";
import { pythonsOnPath } from "./path";
import type { Resolved } from "./resolve";

const DOWNLOADS = "https://www.python.org/downloads/";

type Choice = QuickPickItem & { choose(): Promise<void> };

/** Lets the user choose the interpreter that runs the server. */
export async function selectInterpreter(python: PythonExtensions): Promise<void> {
  const commandLines = [...pythonsOnPath(), ...(await python.known()).map((path) => [path])];
  const unique = [...new Map(commandLines.map((one) => [one.join(" "), one])).values()];
  const choices: Choice[] = [
    {
      label: "Automatic",
      detail: "The Python that is chosen in the editor, else the one on PATH.",
      choose: () => set(undefined),
    },
    ...(python.hasPicker
      ? [
          {
            label: "Choose with the Python extension…",
            choose: async () => {
              await set(undefined);
              await commands.executeCommand("python.setInterpreter");
            },
          },
        ]
      : []),
    { label: "Browse…", choose: browse },
    ...unique.map((command) => ({ label: command.join(" "), choose: () => set(command) })),
  ];
  const placeHolder = "The Python (3.10 or later) that runs the capture-lsp server";
  await (await window.showQuickPick(choices, { placeHolder }))?.choose();
}

async function browse(): Promise<void> {
  const chosen = await window.showOpenDialog({ canSelectMany: false, title: "A Python interpreter, 3.10 or later" });
  if (chosen?.[0]) await set([chosen[0].fsPath]);
}

/** Where the setting is written: in the workspace only if it is set there already. */
async function set(command: string[] | undefined): Promise<void> {
  const section = workspace.getConfiguration(SECTION);
  const local = section.inspect("interpreter")?.workspaceValue !== undefined;
  await section.update("interpreter", command, local ? ConfigurationTarget.Workspace : ConfigurationTarget.Global);
}

/** Says that no interpreter was found, and offers what helps. */
export async function tellUnresolved({ rejected }: Resolved): Promise<void> {
  const why = rejected.length > 0 ? ` ${rejected.join("; ")}.` : "";
  const message = `capture-lsp needs Python 3.10 or later to run, and found none.${why}`;
  const chosen = await window.showErrorMessage(message, "Select Interpreter", "Install Python", "Show Log");
  if (chosen === "Select Interpreter") await commands.executeCommand("capture-lsp.selectInterpreter");
  if (chosen === "Install Python") await env.openExternal(Uri.parse(DOWNLOADS));
  if (chosen === "Show Log") await commands.executeCommand("capture-lsp.showLog");
}
