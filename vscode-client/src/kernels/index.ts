import { commands, Disposable, type ExtensionContext } from "vscode";

import type { Session } from "../session";
import { GeneratedDocuments } from "./documents";

/** The code that PyTorch made of a probed function: kernels, and graphs as Python. */
export function registerKernels(_context: ExtensionContext, session: Session): Disposable {
  const kernels = new GeneratedDocuments(session, "kernel");
  const graphs = new GeneratedDocuments(session, "graph");
  return Disposable.from(
    kernels,
    graphs,
    commands.registerCommand("capture-lsp.openKernel", (uri: string, entry: string, index: number) =>
      kernels.open({ uri, entry, number: index }),
    ),
    commands.registerCommand("capture-lsp.openGraphCode", (uri: string, entry: string, graph: number) =>
      graphs.open({ uri, entry, number: graph }),
    ),
  );
}
