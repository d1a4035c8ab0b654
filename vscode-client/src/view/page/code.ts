/** A graph's code; each line leads to the line of the source that it comes from. */

import type { Graph, Place } from "../../protocol";
import { nodeOfCodeLine } from "../model/entry";
import { el } from "./dom";

export interface CodeOptions {
  readonly onReveal: (at: Place, focus: boolean) => void;
  readonly onLine: (at: Place | null) => boolean;
}

export function code(graph: Graph, { onReveal, onLine }: CodeOptions): HTMLElement {
  const places = new Map(graph.nodes.map(({ name, at }) => [name, at]));
  const lines = graph.code.split("\n").map((text) => {
    const at = places.get(nodeOfCodeLine(text) ?? "") ?? null;
    const leads = at === null ? "" : " leads";
    return el(
      "div",
      {
        class: `line${leads}${onLine(at) ? " on-line" : ""}`,
        text: text === "" ? " " : text,
        ...(at === null
          ? {}
          : {
              on: {
                click: (): void => {
                  if (String(getSelection()) === "") onReveal(at, false);
                },
              },
            }),
      },
    );
  });
  return el(
    "div",
    { class: "section", key: "code:section" },
    el("div", { class: "code-block", attributes: { role: "region", "aria-label": "Code of the graph", tabindex: 0 } }, ...lines),
  );
}
