/** Small pieces that several parts of the page are made of. */

import { type Child, el } from "../../common/dom";
import type { BreakId, Place } from "../data";
import { nameOf, signOf, type Tone } from "../model/words";

export function badge(text: string, tone: Tone | "plain" = "plain"): HTMLElement {
  return el("span", { class: `badge ${tone}`, text });
}

/** A sign that sighted readers take in faster, and the word. */
export function signed(symbol: string, words: string, tone: Tone): HTMLElement {
  return el("span", { class: `outcome ${tone}` }, el("span", { class: "symbol", text: symbol, attributes: { "aria-hidden": true } }), el("span", { class: "outcome-words", text: words }));
}

export function outcome(name: string, words: string): HTMLElement {
  const { symbol, tone } = signOf(name);
  return signed(symbol, words, tone);
}

export function place(at: Place | null): HTMLElement | null {
  return at === null ? null : el("code", { class: "place", text: at.where });
}

/** Without the folder, for tables of one entry. */
export function shortPlace(at: Place | null): string {
  return at === null ? "" : nameOf(at.where);
}

/** To a page outside: nothing is asked for until it is followed. */
export function outside(text: string, url: string): HTMLElement {
  return el("a", { text, attributes: { href: url, rel: "noreferrer", target: "_blank" } });
}

export function breakLink(one: BreakId): HTMLElement {
  return outside(one.id, one.url);
}

export function part(title: string, ...children: readonly Child[]): HTMLElement {
  return el("section", { class: "part" }, el("h4", { text: title }), ...children);
}

/** Made when it is opened for the first time. */
export function later(summary: Child, make: () => readonly Child[], made: { class?: string; open?: boolean } = {}): HTMLDetailsElement {
  let filled = false;
  const element = el("details", { class: made.class ?? "" }, el("summary", {}, summary));
  const fill = (): void => {
    if (filled || !element.open) return;
    filled = true;
    for (const child of make()) if (child !== null) element.append(child);
  };
  element.addEventListener("toggle", fill);
  if (made.open === true) {
    element.open = true;
    fill();
  }
  return element;
}
