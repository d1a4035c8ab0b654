/** Everything about one finding. */

import { type Child, el } from "../../common/dom";
import type { Change, Finding, Fix, Step } from "../data";
import { hashOf } from "../model/address";
import type { Texts } from "../model/texts";
import { counted } from "../model/words";
import { listing } from "./code";
import { badge, breakLink, outcome, outside, part, place } from "./parts";

const BEFORE = 3;
const LONGEST = 14;

/** `entries`: names of those that it stands in, by id. */
export function details(finding: Finding, texts: Texts, entries: ReadonlyMap<string, string>): HTMLElement {
  const { at, end_line, provenance, related, fixes, judgements, roots, count, cost } = finding;
  const rows = texts.range(at.path, at.line - BEFORE, Math.min(end_line, at.line + LONGEST) + 1);
  return el(
    "div",
    { class: "finding-details" },
    rows.length === 0 ? null : listing(rows, `Source at ${at.where}`, { ...finding, line: at.line }),
    provenance.length === 0 ? null : part("Where the value comes from", path(provenance, texts)),
    related.length === 0 ? null : part("Related", path(related, texts)),
    cost === null ? null : part("Cost", el("p", { text: cost.words })),
    judgements.length === 0
      ? null
      : part(
          "Under each frontend",
          el(
            "ul",
            { class: "judgements" },
            ...judgements.map(({ frontend, outcome: kind, words, status, in_use }) =>
              el("li", { class: in_use ? "in-use" : "" }, el("span", { class: "frontend", text: frontend }), outcome(kind, words), status === "" ? null : badge(status), in_use ? el("span", { class: "note", text: "in use" }) : null),
            ),
          ),
        ),
    ...fixes.map(fixed),
    el(
      "dl",
      { class: "facts" },
      ...fact("reached from", roots.map((root) => el("code", { text: root }))),
      ...fact("reached", count > 1 ? [`${counted(count, "time")} from one root`] : []),
      ...fact("graph break", finding.graph_breaks.map(breakLink)),
      ...fact("rule", [outside(`${finding.code} ${finding.name}`, finding.url)]),
      ...fact("probed in", [...entries].map(([id, name]) => el("a", { text: name, attributes: { href: hashOf({ kind: "entry", id }) } }))),
      ...fact("link", [el("a", { text: `#${finding.id}`, attributes: { href: hashOf({ kind: "finding", id: finding.id }) } })]),
    ),
  );
}

function path(steps: readonly Step[], texts: Texts): HTMLElement {
  return el(
    "ol",
    { class: "path" },
    ...steps.map(({ text, at }) => {
      const source = texts.line(at.path, at.line)?.text.trim() ?? "";
      return el("li", {}, el("span", { text }), " ", place(at), source === "" ? null : el("code", { class: "step-source", text: source }));
    }),
  );
}

function fixed({ title, safety, changes }: Fix): HTMLElement {
  return part("Fix", el("p", {}, title, " ", badge(safety, safety === "safe" ? "good" : "poor")), ...changes.map(changed));
}

function changed({ at, removed, added }: Change): HTMLElement {
  const row = (kind: "removed" | "added", sign: string) => (text: string): HTMLElement =>
    el("div", { class: `diff-line ${kind}` }, el("span", { class: "diff-sign", text: sign }), el("span", { class: "visually-hidden", text: kind === "added" ? "added: " : "removed: " }), text);
  return el("div", { class: "diff", attributes: { role: "group", "aria-label": `Change at ${at.where}` } }, el("div", { class: "diff-where", text: at.where }), ...removed.map(row("removed", "−")), ...added.map(row("added", "+")));
}

function fact(name: string, values: readonly Child[]): HTMLElement[] {
  if (values.length === 0) return [];
  return [el("dt", { text: name }), el("dd", {}, ...values.flatMap((value, index) => (index === 0 ? [value] : [", ", value])))];
}
