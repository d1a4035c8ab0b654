/** All captured objects: how much of each was captured, and under which frontend. */

import { button, el } from "../../common/dom";
import { type Column, table } from "../../common/table";
import type { Data, Entry } from "../data";
import { hashOf } from "../model/address";
import type { Texts } from "../model/texts";
import { CAPTURED } from "../model/words";
import { entryCard } from "./entry";
import { breakable, outcome, signed } from "./parts";

export interface EntryList {
  readonly element: HTMLElement | null;
  readonly go: (id: string) => boolean;
}

export function entryList({ entries }: Data, texts: Texts): EntryList {
  if (entries.length === 0) return { element: null, go: () => false };
  const cards = new Map(entries.map((entry) => [entry.id, entryCard(entry, texts)]));
  const go = (id: string): boolean => {
    const card = cards.get(id);
    if (card === undefined) return false;
    card.fill();
    card.details.open = true;
    card.details.scrollIntoView({ block: "start" });
    card.details.querySelector("summary")?.focus({ preventScroll: true });
    return true;
  };
  const element = el(
    "section",
    { class: "entries", attributes: { id: "entries", "aria-labelledby": "entries-title" } },
    el("h2", { text: "What is captured", attributes: { id: "entries-title" } }),
    overview(entries),
    el("div", { class: "entry-tools" }, button("Close all", () => cards.forEach(({ details }) => (details.open = false)), { class: "button" })),
    ...[...cards.values()].map(({ details }) => details),
  );
  return { element, go };
}

function overview(entries: readonly Entry[]): HTMLElement {
  const names = new Map(entries.flatMap(({ matrix }) => matrix.map(({ frontend, name }) => [frontend, name])));
  const count = (title: string, of: (entry: Entry) => number): Column<Entry> => ({ title, class: "figure", value: of });
  return table<Entry>({
    name: "entries",
    label: "captured objects",
    filter: entries.length > 12,
    rows: entries,
    columns: [
      { title: "Captured object", class: "entry-link", value: ({ id }) => id, cell: ({ id }) => el("a", { attributes: { href: hashOf({ kind: "entry", id }) } }, ...breakable(id)) },
      { title: "By torch.compile", class: "narrow", value: ({ captured_words }) => captured_words, cell: ({ captured, captured_words }) => signed(CAPTURED[captured].symbol, captured_words, CAPTURED[captured].tone) },
      count("Graphs", ({ graphs }) => graphs.filter(({ again }) => !again).length),
      count("Breaks", ({ breaks }) => breaks.length),
      count("Recompiles", ({ recompiles }) => recompiles.length),
      ...[...names]
        .filter(([frontend]) => frontend !== "dynamo")
        .map(
          ([frontend, name]): Column<Entry> => ({
            title: name,
            class: "narrow frontend-cell",
            value: ({ matrix }) => matrix.find((one) => one.frontend === frontend)?.words ?? "",
            cell: ({ matrix }) => {
              const one = matrix.find((each) => each.frontend === frontend);
              return one === undefined ? "" : outcome(one.outcome, one.words);
            },
          }),
        ),
    ],
  });
}
