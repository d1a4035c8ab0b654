/** The choice of the frontend; each shows what became of the same calls with it. */

import { el } from "../../common/dom";
import type { Controls, Frontend } from "../../protocol";
import type { Outcome } from "../model/outcomes";
import { icon } from "./icons";
import { radios } from "./radios";

export const FRONTEND_WORDS: Record<Frontend, string> = {
  eager: "eager",
  trace: "jit.trace",
  fx: "fx.symbolic_trace",
  script: "jit.script",
  dynamo: "torch.compile",
  fullgraph: "compile fullgraph",
  export: "torch.export",
};

export interface Frontends {
  readonly element: HTMLElement;
  readonly show: (chosen: Frontend, outcomes: ReadonlyMap<Frontend, Outcome>) => void;
}

export function frontends(controls: Controls, choose: (frontend: Frontend) => void): Frontends {
  const group = radios(
    "frontend",
    "Frontend",
    (value) => {
      const frontend = controls.frontends.find((one) => one === value);
      if (frontend !== undefined) choose(frontend);
    },
    { "data-control": "frontend", class: "radios frontends" },
  );
  return {
    element: group.element,
    show: (chosen, outcomes) =>
      group.show(
        controls.frontends.map((frontend) => {
          const outcome = outcomes.get(frontend);
          return {
            value: frontend,
            text: FRONTEND_WORDS[frontend],
            content:
              outcome === undefined
                ? null
                : el("span", { class: `chip ${outcome.tone}` }, icon(outcome.icon), el("span", { text: outcome.words })),
            data: { frontend, outcome: outcome?.value ?? "unknown" },
          };
        }),
        chosen,
      ),
  };
}
