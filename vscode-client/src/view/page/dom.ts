/** Elements, made by code alone: what the server says gets into the page as text and never as markup. */

export interface Made {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  /** Names the element for `keepingPlace`: the focus and the scroll position survive a new rendering. */
  readonly key?: string;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  readonly on?: { readonly [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E]) => void };
}

export type Child = Node | string | null;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  made: Made = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), made, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  made: Made = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), made, children);
}

function filled<T extends HTMLElement | SVGElement>(element: T, made: Made, children: readonly Child[]): T {
  if (made.class) element.setAttribute("class", made.class);
  if (made.text !== undefined) element.textContent = made.text;
  if (made.title) element.setAttribute("title", made.title);
  if (made.key) element.dataset.key = made.key;
  for (const [name, value] of Object.entries(made.attributes ?? {})) element.setAttribute(name, String(value));
  for (const [name, listener] of Object.entries(made.on ?? {})) element.addEventListener(name, listener as EventListener);
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

export function button(text: string, act: () => void, made: Made = {}): HTMLButtonElement {
  return el("button", { text, ...made, attributes: { type: "button", ...made.attributes }, on: { click: act } });
}

function keyed(root: ParentNode): Map<string, HTMLElement | SVGElement> {
  const found = new Map<string, HTMLElement | SVGElement>();
  for (const element of root.querySelectorAll<HTMLElement | SVGElement>("[data-key]")) {
    found.set(element.dataset.key ?? "", element);
  }
  return found;
}

/** Renders anew; then what had the focus has it again, and what was scrolled is where it was. */
export function keepingPlace(root: ParentNode, render: () => void): void {
  const focused = (document.activeElement as HTMLElement | SVGElement | null)?.dataset.key;
  const caret = document.activeElement instanceof HTMLInputElement ? document.activeElement.selectionStart : null;
  const scrolled = [...keyed(root)].map(([key, { scrollTop, scrollLeft }]) => ({ key, scrollTop, scrollLeft }));
  render();
  const now = keyed(root);
  for (const { key, scrollTop, scrollLeft } of scrolled) {
    const element = now.get(key);
    if (element === undefined || (scrollTop === 0 && scrollLeft === 0)) continue;
    element.scrollTop = scrollTop;
    element.scrollLeft = scrollLeft;
  }
  const target = focused === undefined ? undefined : now.get(focused);
  if (target === undefined || target === document.activeElement) return;
  target.focus({ preventScroll: true });
  if (target instanceof HTMLInputElement && caret !== null) target.setSelectionRange(caret, caret);
}
