import type { PythonEnvironmentApi } from "@vscode/python-environments";
import { PVSC_EXTENSION_ID, type PythonExtension } from "@vscode/python-extension";
import { EventEmitter, extensions, type Disposable, type LogOutputChannel, type Uri } from "vscode";

const ENVIRONMENTS_ID = "ms-python.vscode-python-envs";
/** The server does not wait longer for another extension to start; it is asked again when an environment changes. */
const LIMIT_MS = 15_000;

/** One of the extensions that know the user's Python environments. */
interface Provider {
  name: string;
  /** The interpreter chosen for a folder. */
  active(scope: Uri | undefined): Promise<string | undefined>;
  known(): Promise<string[]>;
}

/** What the Python Environments and Python extensions say, if they are installed; neither is needed. */
export class PythonExtensions implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly subscriptions: { dispose(): unknown }[] = [this.changed];
  private found: Promise<Provider[]> | null = null;
  /** Which of them were installed when `found` was set. */
  private asked = "";

  /** Another environment was chosen. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly log: LogOutputChannel) {
    this.subscriptions.push(
      extensions.onDidChange(() => {
        if (this.found !== null && this.installed !== this.asked) {
          this.found = null;
          this.changed.fire();
        }
      }),
    );
  }

  private get installed(): string {
    return [ENVIRONMENTS_ID, PVSC_EXTENSION_ID].filter((id) => extensions.getExtension(id) !== undefined).join();
  }

  /** The interpreter that is chosen for a folder, and which extension says so. */
  async active(scope: Uri | undefined): Promise<{ path: string; origin: string } | null> {
    for (const provider of await this.providers()) {
      const path = await this.guarded(provider.name, () => provider.active(scope));
      if (path) return { path, origin: provider.name };
    }
    return null;
  }

  /** Interpreters that they found on this machine. */
  async known(): Promise<string[]> {
    const lists = (await this.providers()).map((one) => this.guarded(one.name, () => one.known()));
    return [...new Set((await Promise.all(lists)).flatMap((list) => list ?? []))];
  }

  /** Whether the Python extension's own picker can be used. */
  get hasPicker(): boolean {
    return extensions.getExtension(PVSC_EXTENSION_ID) !== undefined;
  }

  private providers(): Promise<Provider[]> {
    this.asked = this.installed;
    this.found ??= Promise.all([
      this.guarded("the Python Environments extension", () => this.environments()),
      this.guarded("the Python extension", () => this.python()),
    ]).then((all) => all.filter((one) => one !== undefined));
    return this.found;
  }

  private async environments(): Promise<Provider | undefined> {
    const extension = extensions.getExtension<PythonEnvironmentApi | undefined>(ENVIRONMENTS_ID);
    const api = extension && (await extension.activate());
    if (!api) return undefined;
    this.subscriptions.push(api.onDidChangeEnvironment(() => this.changed.fire()));
    return {
      name: "the Python Environments extension",
      active: async (scope) => (await api.getEnvironment(scope))?.execInfo.run.executable,
      known: async () => (await api.getEnvironments("all")).map((one) => one.execInfo.run.executable),
    };
  }

  private async python(): Promise<Provider | undefined> {
    const extension = extensions.getExtension<PythonExtension>(PVSC_EXTENSION_ID);
    if (!extension) return undefined;
    const { environments, ready } = await extension.activate();
    await ready;
    this.subscriptions.push(environments.onDidChangeActiveEnvironmentPath(() => this.changed.fire()));
    return {
      name: "the Python extension",
      active: async (scope) => {
        const path = environments.getActiveEnvironmentPath(scope);
        return (await environments.resolveEnvironment(path))?.executable.uri?.fsPath;
      },
      known: () => Promise.resolve(environments.known.flatMap((one) => one.executable.uri?.fsPath ?? [])),
    };
  }

  /** What another extension answers; undefined where it fails or does not answer. */
  private async guarded<T>(name: string, work: () => Promise<T | undefined>): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${LIMIT_MS / 1000} s`)), LIMIT_MS);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      this.log.warn(`${name} is not used: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }
}
