/** Small drawings for what happens; each stands beside a word. */

import { svg } from "../../common/dom";

/** Paths in a square of 16. */
const PATHS = {
  whole: "M2.5 2.5h11v11h-11zM5 8l2.2 2.2L11.2 6",
  parts: "M2.5 2.5h4v11h-4zM9.5 2.5h4v11h-4z",
  none: "M4 8h8",
  refused: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM3.7 3.7l8.6 8.6",
  eager: "M4.5 2.8v10.4L12.8 8z",
  fork: "M4 14V8.5C4 6.5 12 7 12 2.5M4 8.5V2.5M2 4.5l2-2 2 2M10 4.5l2-2 2 2",
  lost: "M4 14V2.5M2 4.5l2-2 2 2M4 9.5c1-1.6 3-2 4.3-2.8M10 3l4 4M14 3l-4 4",
  straight: "M8 14V2.5M6 4.5l2-2 2 2",
  right: "M2.8 8.6l3.4 3.4 7-8",
  wrong: "M2.5 6h11M2.5 10h11M10.5 2.5l-5 11",
  error: "M8 2v7.5M8 12.4v1.4",
  recompile: "M13.2 8A5.2 5.2 0 1 1 11.6 4.3M11.9 1.5v3.2H8.7",
  limit: "M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4zM5 8h6",
  capture: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  compile: "M9.2 1.5L3.5 9H8l-1 5.5L12.6 7H8.2z",
  break: "M5.5 2.5v11M10.5 2.5v11",
  skip: "M2 10.5c2.5-6 8-6 11-1M13.3 5v4.3H9",
  frozen: "M8 1.5v13M2.4 4.8l11.2 6.4M13.6 4.8L2.4 11.2M6.3 2.8L8 4.4l1.7-1.6M6.3 13.2L8 11.6l1.7 1.6",
  decision: "M8 1.8L14.2 8 8 14.2 1.8 8z",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGSVGElement {
  return svg(
    "svg",
    { class: `icon icon-${name}`, attributes: { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": true, focusable: false } },
    svg("path", { attributes: { d: PATHS[name] } }),
  );
}
