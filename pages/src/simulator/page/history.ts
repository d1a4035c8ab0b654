/** The calls of the captured object, in order: one button each. */

import { el } from "../../common/dom";
import type { Controls, EventKind, Run } from "../../protocol";
import { wordsOf } from "../model/combination";
import { EVENTS, kindsOf } from "../model/events";
import type { State } from "../model/state";
import { icon } from "./icons";

const FEW_CALLS = 6;

/** What fits beside the number: a recompile compiles, the limit ends a recompile. */
function inShort(kinds: readonly EventKind[], calls: number): EventKind[] {
  const implied: readonly EventKind[] = kinds.includes("limit") ? ["recompile", "skip", "eager"] : kinds.includes("recompile") ? ["compile"] : [];
  return kinds.filter((kind) => !implied.includes(kind)).slice(0, calls > FEW_CALLS ? 1 : 2);
}

export function history(controls: Controls, state: State, run: Run | null, choose: (index: number) => void): HTMLElement {
  const move = (event: KeyboardEvent): void => {
    const last = state.calls.length - 1;
    const to = { ArrowRight: state.shown + 1, ArrowDown: state.shown + 1, ArrowLeft: state.shown - 1, ArrowUp: state.shown - 1, Home: 0, End: last }[event.key];
    if (to === undefined || to < 0 || to > last) return;
    event.preventDefault();
    choose(to);
  };
  return el(
    "ol",
    { class: "history", attributes: { "aria-label": "Calls of the captured object", "data-part": "history" }, on: { keydown: move } },
    ...state.calls.map((combination, index) => {
      const call = run?.calls[index] ?? null;
      const kinds = call === null ? [] : kindsOf(call);
      const answer = call === null || call.answer === "refused" ? null : call.answer;
      const words = [
        `call ${index + 1}${index === 0 ? ", the captured one" : ""}: ${wordsOf(combination, controls)}`,
        ...kinds.map((kind) => EVENTS[kind].word),
        answer === null ? "" : `answer ${answer}`,
      ].filter(Boolean);
      return el(
        "li",
        {},
        el(
          "button",
          {
            class: `call ${answer ?? ""}`,
            key: `call:${index}`,
            title: words.join(", "),
            attributes: {
              type: "button",
              "data-call": index,
              "data-answer": answer ?? "none",
              "data-events": kinds.join(" "),
              ...(index === state.shown ? { "aria-current": "step" } : {}),
              tabindex: index === state.shown ? 0 : -1,
            },
            on: { click: () => choose(index) },
          },
          spoken("call "),
          el("span", { class: "call-number", text: String(index + 1) }),
          spoken(`${index === 0 ? ", the captured one" : ""}: ${wordsOf(combination, controls)} `),
          ...inShort(kinds, state.calls.length).map((kind) => el("span", { class: `call-event ${EVENTS[kind].tone}` }, icon(EVENTS[kind].icon), EVENTS[kind].word)),
          answer === null ? null : el("span", { class: `call-answer ${answer}` }, icon(answer), answer),
        ),
      );
    }),
  );
}

/** For screen readers alone: what is seen is then part of what they say. */
function spoken(text: string): HTMLElement {
  return el("span", { class: "visually-hidden", text });
}
