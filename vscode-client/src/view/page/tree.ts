/** The tree of entries, frames and what is in them; keys as in any tree. */

import { type OutlineItem, type OutlineRow, visibleRows } from "../model/outline";
import { el } from "./dom";

export interface TreeOptions {
  readonly items: readonly OutlineItem[];
  readonly open: ReadonlySet<string>;
  readonly selected: string | null;
  readonly highlighted: (item: OutlineItem) => boolean;
  readonly onOpen: (open: ReadonlySet<string>) => void;
  /** `focus`: the editor gets the keyboard. */
  readonly onSelect: (item: OutlineItem, focus: boolean) => void;
}

const ICONS: Record<OutlineItem["icon"], string> = {
  entry: "ƒ",
  frame: "▢",
  graph: "◆",
  break: "‖",
  guards: "◇",
  recompile: "↻",
  skipped: "▷",
};

export function tree(options: TreeOptions): HTMLElement {
  const rows = visibleRows(options.items, options.open);
  const tabStop = rows.find(({ item }) => item.id === options.selected) ?? rows[0];
  const root = el("div", {
    class: "tree",
    key: "tree",
    attributes: { role: "tree", "aria-label": "What was captured" },
    on: {
      keydown: (event) => {
        const id = (event.target as HTMLElement).dataset.item;
        const row = rows.find(({ item }) => item.id === id);
        if (row !== undefined && pressed(event, row, rows, options, root)) event.preventDefault();
      },
    },
  });
  root.append(...rows.map((row) => treeItem(row, row === tabStop, options)));
  return root;
}

function treeItem({ item, level, position, of }: OutlineRow, tabStop: boolean, options: TreeOptions): HTMLElement {
  const hasChildren = item.children.length > 0;
  const isOpen = options.open.has(item.id);
  const element = el(
    "div",
    {
      class: `item is-${item.icon}${options.highlighted(item) ? " on-line" : ""}`,
      key: `tree:${item.id}`,
      title: [item.label, item.detail].filter(Boolean).join(" · "),
      attributes: {
        role: "treeitem",
        tabindex: tabStop ? 0 : -1,
        "aria-level": level,
        "aria-posinset": position,
        "aria-setsize": of,
        "aria-selected": item.id === options.selected,
        ...(hasChildren ? { "aria-expanded": isOpen } : {}),
      },
      on: {
        click: (event) => {
          if (hasChildren && (event.target as HTMLElement).classList.contains("twistie")) toggle(item, options);
          else options.onSelect(item, false);
        },
        dblclick: () => {
          if (hasChildren) toggle(item, options);
        },
      },
    },
    el("span", { class: "twistie", text: hasChildren ? (isOpen ? "▾" : "▸") : "", attributes: { "aria-hidden": true } }),
    el("span", { class: "icon", text: ICONS[item.icon], attributes: { "aria-hidden": true } }),
    el(
      "span",
      { class: "text" },
      el("span", { class: "label", text: item.label }),
      item.detail === "" ? null : " ",
      el("span", { class: "detail", text: item.detail }),
    ),
  );
  element.dataset.item = item.id;
  return element;
}

function toggle(item: OutlineItem, { open, onOpen }: TreeOptions): void {
  const next = new Set(open);
  if (!next.delete(item.id)) next.add(item.id);
  onOpen(next);
}

function pressed(
  event: KeyboardEvent,
  row: OutlineRow,
  rows: readonly OutlineRow[],
  options: TreeOptions,
  root: HTMLElement,
): boolean {
  const index = rows.indexOf(row);
  const focus = (to: OutlineRow | undefined): boolean => {
    const element = [...root.children].find((one) => (one as HTMLElement).dataset.item === to?.item.id);
    if (element instanceof HTMLElement) {
      for (const one of root.children) one.setAttribute("tabindex", one === element ? "0" : "-1");
      element.focus();
    }
    return true;
  };
  const isOpen = options.open.has(row.item.id);
  const hasChildren = row.item.children.length > 0;
  switch (event.key) {
    case "ArrowDown":
      return focus(rows[index + 1]);
    case "ArrowUp":
      return focus(rows[index - 1]);
    case "Home":
      return focus(rows[0]);
    case "End":
      return focus(rows.at(-1));
    case "ArrowRight":
      if (hasChildren && !isOpen) toggle(row.item, options);
      else if (hasChildren) focus(rows[index + 1]);
      return true;
    case "ArrowLeft":
      if (hasChildren && isOpen) toggle(row.item, options);
      else focus(rows.find(({ item }) => item.id === row.parent));
      return true;
    case "Enter":
    case " ":
      options.onSelect(row.item, event.key === "Enter");
      return true;
    default:
      return false;
  }
}
