/** The tabs of an entry. */

import type { Part } from "../messages";
import { el } from "./dom";

export interface Tab {
  readonly part: Part;
  readonly title: string;
}

export function tabs(all: readonly Tab[], chosen: Part, choose: (part: Part) => void): HTMLElement {
  const step = (event: KeyboardEvent): void => {
    const index = all.findIndex(({ part }) => part === chosen);
    const to = { ArrowRight: all[index + 1], ArrowLeft: all[index - 1], Home: all[0], End: all.at(-1) }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(to.part);
    const next = document.getElementById(`tab-${to.part}`);
    next?.focus();
  };
  return el(
    "div",
    { class: "tabs", attributes: { role: "tablist", "aria-label": "Views of the function" }, on: { keydown: step } },
    ...all.map(({ part, title }) =>
      el(
        "button",
        {
          text: title,
          class: "tab",
          key: `tab:${part}`,
          attributes: {
            type: "button",
            role: "tab",
            id: `tab-${part}`,
            "aria-selected": part === chosen,
            "aria-controls": "content",
            tabindex: part === chosen ? 0 : -1,
          },
          on: { click: () => choose(part) },
        },
      ),
    ),
  );
}
