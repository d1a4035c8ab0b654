import { workspace, type Memento } from "vscode";

const KEY = "islands";

/** Whether bands are shown: as the setting says, until the command says otherwise in this workspace. */
export class Visibility {
  constructor(private readonly memory: Memento) {}

  get shown(): boolean {
    return this.memory.get<boolean>(KEY) ?? workspace.getConfiguration("capture-lsp").get<boolean>("islands", true);
  }

  async toggle(): Promise<void> {
    await this.memory.update(KEY, !this.shown);
  }

  /** From now on the setting counts. */
  async settingChanged(): Promise<void> {
    await this.memory.update(KEY, undefined);
  }
}
