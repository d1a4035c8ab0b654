/** Horizontal bars with their values, and the interval that holds each. */

import { scaleFor } from "../model/timing";
import { button, el, svg } from "./dom";

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly text: string;
  readonly kind: string;
  readonly title?: string;
  readonly onLabel?: () => void;
}

const WIDTH = 320;
const ROW = 22;

/** `mark`: a value that a line shows. */
export function bars(rows: readonly Bar[], mark: number | null = null): HTMLElement {
  const scale = scaleFor([...rows.map(({ value, high }) => Math.max(value, high ?? 0)), mark ?? 0], WIDTH);
  return el(
    "div",
    { class: "bars", attributes: { role: "list" } },
    ...rows.map(({ label, value, low, high, text, kind, title, onLabel }, index) =>
      el(
        "div",
        { class: "bar-row", attributes: { role: "listitem" } },
        onLabel === undefined
          ? el("span", { class: "bar-label", text: label, title: title ?? label })
          : button(label, onLabel, { class: "bar-label link", title: title ?? label, key: `bar:${index}:${label}` }),
        svg(
          "svg",
          { class: `bar ${kind}`, attributes: { viewBox: `0 0 ${WIDTH} ${ROW}`, width: WIDTH, height: ROW, "aria-hidden": true } },
          svg("rect", { class: "value", attributes: { x: 0, y: 4, width: scale.at(value), height: ROW - 8, rx: 2 } }),
          mark === null
            ? null
            : svg("line", { class: "mark", attributes: { x1: scale.at(mark), x2: scale.at(mark), y1: 0, y2: ROW } }),
          low === null || high === null
            ? null
            : svg("path", {
                class: "interval",
                attributes: {
                  d: `M${scale.at(low)} 7V${ROW - 7}M${scale.at(low)} ${ROW / 2}H${scale.at(high)}M${scale.at(high)} 7V${ROW - 7}`,
                },
              }),
        ),
        el("span", { class: "bar-text", text }),
      ),
    ),
  );
}
