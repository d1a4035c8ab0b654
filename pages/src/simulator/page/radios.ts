/** A group of radio buttons that looks like one bar. Native inputs: arrow keys, names and states come with them. */

import { type Child, el } from "../../common/dom";

export interface Choice {
  readonly value: string;
  readonly text: string;
  /** Why it cannot be chosen. */
  readonly reason?: string;
  readonly content?: Child;
  readonly data?: Readonly<Record<string, string>>;
}

export interface Radios {
  readonly element: HTMLFieldSetElement;
  readonly show: (choices: readonly Choice[], chosen: string | null) => void;
}

export function radios(name: string, legend: Child, choose: (value: string) => void, attributes: Readonly<Record<string, string>> = {}): Radios {
  const bar = el("div", { class: "segments" });
  const element = el("fieldset", { class: "radios", attributes }, el("legend", {}, legend), bar);
  let inputs: HTMLInputElement[] = [];
  let before = "";
  const show = (choices: readonly Choice[], chosen: string | null): void => {
    // The same choices keep their elements, and so the focus.
    const shape = JSON.stringify(choices.map(({ value, text, reason }) => [value, text, reason]));
    if (shape !== before) {
      before = shape;
      inputs = choices.map(({ value, reason }) =>
        el("input", {
          attributes: { type: "radio", name, value, ...(reason === undefined ? {} : { disabled: true }) },
          on: { change: () => choose(value) },
        }),
      );
      bar.replaceChildren(
        ...choices.map(({ value, text, reason }, index) =>
          el(
            "label",
            { class: "segment", title: reason ?? "", attributes: { "data-value": value } },
            inputs[index] ?? null,
            el("span", { class: "segment-text", text }),
            reason === undefined ? null : el("span", { class: "visually-hidden", text: `: ${reason}` }),
            el("span", { class: "segment-more" }),
          ),
        ),
      );
    }
    choices.forEach(({ value, content, data }, index) => {
      const input = inputs[index];
      const label = input?.parentElement;
      if (input === undefined || !label) return;
      input.checked = value === chosen;
      label.lastElementChild?.replaceChildren(...(content ? [content] : []));
      for (const [key, one] of Object.entries(data ?? {})) label.dataset[key] = one;
    });
  };
  return { element, show };
}
