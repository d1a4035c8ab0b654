/** The four figures. The cards stay; a screen reader hears what changes in them. */

import { el } from "../../common/dom";
import type { Alarm, Figure } from "../model/figures";
import { icon } from "./icons";

export interface FigureCards {
  readonly element: HTMLElement;
  /** null: not known (yet). */
  readonly show: (figures: readonly Figure[] | null, busy: boolean) => void;
}

const TITLES: readonly Pick<Figure, "name" | "title">[] = [
  { name: "captured", title: "Graph captured?" },
  { name: "branches", title: "Branches preserved?" },
  { name: "answer", title: "Answer right?" },
  { name: "recompiles", title: "Recompiles, failed guards" },
];

export function figureCards(): FigureCards {
  const cards = TITLES.map(({ name, title }) => {
    const mark = el("span", { class: "figure-mark" });
    const word = el("span", { class: "figure-word" });
    const detail = el("p", { class: "figure-detail" });
    const card = el(
      "div",
      { class: "figure-card", attributes: { role: "group", "aria-label": title, "data-figure": name, "aria-live": "polite", "aria-atomic": true } },
      el("h2", { class: "figure-title", text: title }),
      el("p", { class: "figure-value" }, mark, word),
      detail,
    );
    return { card, mark, word, detail };
  });
  const element = el("section", { class: "figures", attributes: { "aria-label": "The call that is shown" } }, ...cards.map(({ card }) => card));
  return {
    element,
    show: (figures, busy) => {
      element.setAttribute("aria-busy", String(busy));
      cards.forEach(({ card, mark, word, detail }, index) => {
        const figure = figures?.[index];
        card.dataset.value = figure?.value ?? "unknown";
        card.dataset.tone = figure?.tone ?? "quiet";
        mark.replaceChildren(icon(figure?.icon ?? "none"));
        write(word, figure?.word ?? (busy ? "running" : "not known"));
        write(detail, figure?.detail ?? "");
        detail.title = figure?.detail ?? "";
      });
    },
  };
}

function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function alarm({ tone, title, text }: Alarm): HTMLElement {
  return el(
    "div",
    { class: `alarm ${tone}`, attributes: { role: "alert", "data-part": "alarm", "data-tone": tone } },
    icon(tone === "bad" ? "wrong" : "lost"),
    el("div", {}, el("p", { class: "alarm-title", text: title }), el("p", { text })),
  );
}
