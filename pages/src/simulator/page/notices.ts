/** What stands in the place of a run that is not there. */

import { button, el } from "../../common/dom";
import type { Controls, Request, Survey } from "../../protocol";
import { wordsOf } from "../model/combination";
import { FRONTEND_WORDS } from "./frontends";

export function notRecorded({ controls }: Survey, command: string | null, nearest: readonly Request[], choose: (request: Request) => void): HTMLElement {
  return el(
    "div",
    { class: "notice", attributes: { role: "status", "data-part": "not-recorded" } },
    el("p", {}, "This combination is not recorded in this file; to run it: ", el("code", { text: command ?? "capture-lsp simulate" })),
    nearest.length === 0
      ? null
      : el(
          "p",
          { class: "nearest" },
          "Recorded and close to it: ",
          ...nearest.map((request) =>
            button(wordsOfRequest(request, controls), () => choose(request), { class: "button", attributes: { "data-control": "nearest" } }),
          ),
        ),
  );
}

function wordsOfRequest({ frontend, calls }: Request, controls: Controls): string {
  const [first, ...later] = calls.map((call) => wordsOf(call, controls));
  const last = later.at(-1);
  const course = last === undefined ? (first ?? "") : `${first ?? ""} → ${later.length > 1 ? `${later.length} calls, ` : ""}${last}`;
  return `${FRONTEND_WORDS[frontend]}: ${course}`;
}

/** `reload`: nothing but a new page helps. */
export function failed(message: string, reload: boolean, again: () => void): HTMLElement {
  return el(
    "div",
    { class: "notice bad", attributes: { role: "alert", "data-part": "failed" } },
    el("p", { text: message }),
    reload
      ? button("Reload", () => location.reload(), { class: "button", attributes: { "data-control": "reload" } })
      : button("Try again", again, { class: "button", attributes: { "data-control": "retry" } }),
  );
}

export function running({ frontend, calls }: Request): HTMLElement {
  const later = calls.length - 1;
  const what = later === 0 ? "capture" : later === 1 ? "capture and one call" : `capture and ${later} calls`;
  return el(
    "div",
    { class: "notice running", attributes: { role: "status", "data-part": "running" } },
    el("p", { text: `${FRONTEND_WORDS[frontend]}: ${what} running …` }),
    el("div", { class: "progress", attributes: { role: "progressbar", "aria-label": "Running" } }),
  );
}
