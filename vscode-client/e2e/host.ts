/** code-server: the workbench of VS Code in a browser, its extension host, and our extension in it. */

import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { run, start, type Started } from "./processes.ts";
import { until } from "./polling.ts";

export interface Programs {
  node: string;
  codeServer: string;
  chromium: string;
}

export type Settings = Record<string, unknown>;

/** What every scenario wants: no offers, no downloads, nothing that covers the editor. */
const quiet: Settings = {
  "chat.commandCenter.enabled": false,
  "chat.disableAIFeatures": true,
  "editor.hover.delay": 200,
  "editor.minimap.enabled": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "files.autoSave": "off",
  "security.workspace.trust.banner": "always",
  "security.workspace.trust.startupPrompt": "always",
  "telemetry.telemetryLevel": "off",
  "window.menuBarVisibility": "hidden",
  "workbench.editor.useModal": "off",
  "workbench.colorTheme": "Dark Modern",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

/** A folder of extensions that holds ours alone. */
export async function installExtension(programs: Programs, vsix: string, folder: string): Promise<string> {
  const extensions = path.join(folder, "extensions");
  mkdirSync(extensions, { recursive: true });
  await run(
    programs.node,
    [
      programs.codeServer,
      ...["--config", "/dev/null"],
      ...["--user-data-dir", path.join(folder, "installing")],
      ...["--extensions-dir", extensions],
      ...["--install-extension", vsix],
    ],
    { log: path.join(folder, "install-extension.log"), cwd: folder },
  );
  return extensions;
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/** One code-server with user data of its own. */
export class Host {
  readonly url: string;
  /** The user's settings that it was started with. */
  readonly settings: Settings;
  readonly #process: Started;

  private constructor(url: string, started: Started, settings: Settings) {
    this.url = url;
    this.#process = started;
    this.settings = settings;
  }

  get pid(): number {
    return this.#process.pid;
  }

  static async start(
    programs: Programs,
    extensions: string,
    folder: string,
    options: { trust: boolean; settings?: Settings },
  ): Promise<Host> {
    const data = path.join(folder, "user-data");
    const userSettings = path.join(data, "User", "settings.json");
    const settings = { ...quiet, ...options.settings };
    mkdirSync(path.dirname(userSettings), { recursive: true });
    // Read at the start alone: what would watch the file is among the native modules that are not built.
    writeFileSync(userSettings, JSON.stringify(settings, null, 2));
    const port = await freePort();
    const started = start(
      programs.node,
      [
        programs.codeServer,
        ...["--bind-addr", `127.0.0.1:${port}`],
        ...["--auth", "none"],
        ...["--config", "/dev/null"],
        ...["--user-data-dir", data],
        ...["--extensions-dir", extensions],
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-getting-started-override",
        ...(options.trust ? ["--disable-workspace-trust"] : []),
      ],
      // An environment that is active here would be taken for the workspace's.
      { log: path.join(folder, "code-server.log"), cwd: folder, env: { VIRTUAL_ENV: undefined } },
    );
    const url = `http://127.0.0.1:${port}`;
    await until("code-server answers", async () => (await fetch(`${url}/healthz`)).ok);
    return new Host(url, started, settings);
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}
