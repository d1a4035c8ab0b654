/** The largest difference of each call from eager. */

import { scaleLinear, scalePoint } from "d3-scale";

import { el, svg } from "../../common/dom";
import type { Run } from "../../protocol";
import { shortNumber } from "../model/figures";

const WIDTH = 560;
const HEIGHT = 132;
const MARGIN = { left: 58, right: 16, top: 12, bottom: 24 };

/** Null where there is nothing to compare: fewer than three calls, or none with a difference. */
export function differenceChart(run: Run, shown: number, choose: (index: number) => void): HTMLElement | null {
  const points = run.calls.map(({ largest, answer }, index) => ({ index, largest, answer }));
  const most = Math.max(...points.map(({ largest }) => largest ?? 0));
  if (points.length < 3 || most === 0) return null;
  const x = scalePoint<number>()
    .domain(points.map(({ index }) => index))
    .range([MARGIN.left, WIDTH - MARGIN.right])
    .padding(0.5);
  const y = scaleLinear().domain([0, most]).nice(3).range([HEIGHT - MARGIN.bottom, MARGIN.top]);
  const at = (index: number): number => x(index) ?? 0;
  const every = Math.ceil(points.length / 16);
  const measured = points.filter((point): point is typeof point & { largest: number } => point.largest !== null);
  return el(
    "figure",
    { class: "chart" },
    el("figcaption", { text: "Largest difference from eager, by call" }),
    svg(
      "svg",
      { attributes: { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Largest difference from eager: ${measured.map(({ index, largest }) => `call ${index + 1} ${shortNumber(largest)}`).join(", ")}` } },
      ...y.ticks(3).flatMap((tick) => [
        svg("line", { class: "grid", attributes: { x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y(tick), y2: y(tick) } }),
        svg("text", { class: "tick", text: shortNumber(tick), attributes: { x: MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end" } }),
      ]),
      ...points
        .filter(({ index }) => index % every === 0)
        .map(({ index }) => svg("text", { class: "tick", text: String(index + 1), attributes: { x: at(index), y: HEIGHT - 6, "text-anchor": "middle" } })),
      svg("path", { class: "course", attributes: { d: `M${measured.map(({ index, largest }) => `${at(index)} ${y(largest)}`).join("L")}` } }),
      ...measured.map(({ index, largest, answer }) =>
        svg(
          "g",
          { class: `point ${answer}${index === shown ? " shown" : ""}`, on: { click: () => choose(index) } },
          answer === "wrong"
            ? svg("rect", { attributes: { x: at(index) - 4.5, y: y(largest) - 4.5, width: 9, height: 9 } })
            : svg("circle", { attributes: { cx: at(index), cy: y(largest), r: 4 } }),
          svg("title", { text: `call ${index + 1}: ${answer}, ${shortNumber(largest)}` }),
        ),
      ),
    ),
  );
}
