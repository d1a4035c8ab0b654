/** What the tests need of `vscode`, which exists only inside the editor. */

export class Disposable {
  constructor(private readonly ended: () => unknown) {}

  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }

  dispose(): void {
    this.ended();
  }
}

export class EventEmitter<T> {
  private readonly listeners = new Set<(value: T) => unknown>();

  readonly event = (listener: (value: T) => unknown): Disposable => {
    this.listeners.add(listener);
    return new Disposable(() => this.listeners.delete(listener));
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}

/** Of URIs the tests need only their text. */
export class Uri {
  private constructor(private readonly text: string) {}

  static parse(text: string): Uri {
    return new Uri(text);
  }

  toString(): string {
    return this.text;
  }
}

interface Inspected {
  defaultValue?: unknown;
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

/** The settings that tests give, by folder ("" for none) and name. */
export const settings = new Map<string, Record<string, Inspected>>();

/** What is open, as tests say. */
export interface OpenDocument {
  uri: Uri;
  version: number;
  languageId: string;
}

export const workspace = {
  textDocuments: [] as OpenDocument[],
  getConfiguration(section: string, scope: Uri | null): object {
    const given = settings.get(scope?.toString() ?? "") ?? {};
    const inspect = (key: string): Inspected | undefined => given[`${section}.${key}`];
    return {
      inspect,
      get: (key: string) => {
        const found = inspect(key);
        return found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue ?? found?.defaultValue;
      },
    };
  },
};

/** The extensions that tests install, by id: what activating each gives. */
export const installed = new Map<string, () => Promise<unknown>>();
export const extensionsChanged = new EventEmitter<void>();

export const extensions = {
  onDidChange: extensionsChanged.event,
  getExtension: (id: string): object | undefined => {
    const activate = installed.get(id);
    return activate && { id, activate };
  },
};
