/** The calls one below the other, with all that happened in each. */

import { el } from "../../common/dom";
import type { Call, Controls, Run } from "../../protocol";
import { wordsOf } from "../model/combination";
import { EVENTS } from "../model/events";
import { shortNumber } from "../model/figures";
import { differenceChart } from "./chart";
import { icon } from "./icons";

export function callList(controls: Controls, run: Run, shown: number, choose: (index: number) => void, onLine: (line: number) => void): HTMLElement {
  return el(
    "div",
    { class: "call-list" },
    differenceChart(run, shown, choose),
    el(
      "ol",
      { class: "timeline", attributes: { "aria-label": "Calls", "data-part": "timeline" } },
      ...run.calls.map((call, index) => item(controls, call, index, shown, choose, onLine)),
    ),
  );
}

function item(controls: Controls, call: Call, index: number, shown: number, choose: (index: number) => void, onLine: (line: number) => void): HTMLElement {
  return el(
    "li",
    { class: index === shown ? "timeline-item shown" : "timeline-item", attributes: { "data-timeline": index } },
    el(
      "button",
      {
        class: "timeline-head",
        key: `timeline:${index}`,
        attributes: { type: "button", ...(index === shown ? { "aria-current": "step" } : {}) },
        on: { click: () => choose(index) },
      },
      el("span", { class: "call-number", text: String(index + 1) }),
      el("span", { class: "words", text: wordsOf(call.combination, controls) }),
      index === 0 ? el("span", { class: "note", text: "captured" }) : null,
      el("span", { class: `call-answer ${call.answer}` }, icon(call.answer), call.answer === "refused" ? "no answer" : call.answer),
      call.largest === null || call.largest === 0 ? null : el("span", { class: "note", text: `difference ${shortNumber(call.largest)}` }),
    ),
    el(
      "ul",
      { class: "events" },
      ...call.events.map(({ kind, text, line }) =>
        el(
          "li",
          { class: `event ${EVENTS[kind].tone}`, attributes: { "data-event": kind } },
          icon(EVENTS[kind].icon),
          el("span", { class: "event-kind", text: EVENTS[kind].word }),
          el("span", { class: "event-text", text }),
          line === null ? null : el("button", { class: "link", text: `line ${line}`, attributes: { type: "button" }, on: { click: () => onLine(line) } }),
        ),
      ),
    ),
    call.answer === "wrong" || call.answer === "error"
      ? el(
          "dl",
          { class: "results" },
          el("dt", { text: "eager" }),
          el("dd", { text: call.eager }),
          el("dt", { text: "captured" }),
          el("dd", { text: call.got }),
          el("dt", { text: "difference" }),
          el("dd", { text: call.difference }),
        )
      : null,
  );
}
