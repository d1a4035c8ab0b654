import { Disposable, type ExtensionContext } from "vscode";

import type { Session } from "../session";

export function registerView(_context: ExtensionContext, _session: Session): Disposable {
  return new Disposable(() => undefined);
}
