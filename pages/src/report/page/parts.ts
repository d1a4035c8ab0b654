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
  return at === null ? null : el("code", { class: "place" }, ...breakable(at.where));
}

/** A long name or place may go on in another line behind a folder, behind its file, or before its line. */
export function breakable(name: string): Child[] {
  return name.split(/(?<=\/|::)|(?=:\d+$)/).flatMap((piece, index) => (index === 0 ? [piece] : [el("wbr"), piece]));
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

export interface Later {
  readonly details: HTMLDetailsElement;
  /** Makes what is inside now; the browser tells only later that it was opened. */
  readonly fill: () => void;
}

/** Made when it is opened for the first time. */
export function later(summary: Child, make: () => readonly Child[], made: { class?: string; open?: boolean } = {}): Later {
  let filled = false;
  const details = el("details", { class: made.class ?? "" }, el("summary", {}, summary));
  const fill = (): void => {
    if (filled) return;
    filled = true;
    for (const child of make()) if (child !== null) details.append(child);
  };
  details.addEventListener("toggle", () => {
    if (details.open) fill();
  });
  if (made.open === true) {
    details.open = true;
    fill();
  }
  return { details, fill };
}
