/** The tabs below the figures. */

import { el } from "../../common/dom";
import { type Tab, TABS } from "../model/state";

export interface Tabs {
  readonly element: HTMLElement;
  readonly panel: HTMLElement;
  readonly show: (chosen: Tab, titles: Readonly<Record<Tab, string>>) => void;
}

export function tabs(choose: (tab: Tab) => void): Tabs {
  let now: Tab = "graph";
  const buttons = TABS.map((tab) =>
    el("button", {
      class: "tab",
      attributes: { type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": "tab-panel", "data-tab": tab },
      on: { click: () => choose(tab) },
    }),
  );
  const step = (event: KeyboardEvent): void => {
    const index = TABS.indexOf(now);
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: TABS.length - 1 }[event.key];
    const tab = to === undefined ? undefined : TABS[to];
    if (tab === undefined) return;
    event.preventDefault();
    choose(tab);
    document.getElementById(`tab-${tab}`)?.focus();
  };
  const panel = el("div", { class: "tab-panel", attributes: { role: "tabpanel", id: "tab-panel", tabindex: -1 } });
  const element = el(
    "section",
    { class: "card tabbed", attributes: { "data-part": "tabs", "aria-label": "Graph, code, guards and calls" } },
    el("div", { class: "tabs", attributes: { role: "tablist", "aria-label": "Views" }, on: { keydown: step } }, ...buttons),
    panel,
  );
  return {
    element,
    panel,
    show: (chosen, titles) => {
      now = chosen;
      TABS.forEach((tab, index) => {
        const one = buttons[index];
        if (one === undefined) return;
        if (one.textContent !== titles[tab]) one.textContent = titles[tab];
        one.setAttribute("aria-selected", String(tab === chosen));
        one.tabIndex = tab === chosen ? 0 : -1;
      });
      panel.setAttribute("aria-labelledby", `tab-${chosen}`);
    },
  };
}
