/** The figures at the top. */

import { type Child, el } from "../../common/dom";
import type { Count, Data, Summary } from "../data";
import { hashOf } from "../model/address";
import { CAPTURED, counted } from "../model/words";
import { outcome } from "./parts";
import { stack } from "./stack";

export function summary(data: Data): HTMLElement {
  const { summary: figures } = data;
  return el(
    "section",
    { class: "summary", attributes: { id: "summary", "aria-label": "Summary" } },
    el("div", { class: "cards" }, ...cards(figures, data).map(card)),
    figures.outcomes.length === 0 ? null : outcomes(figures),
    told("Not checked, or not wholly", data.problems.map(({ at, message }) => `${at.where}: ${message}`), "poor"),
    told("Notes", data.notes, "quiet"),
  );
}

interface Card {
  readonly title: string;
  readonly value: string;
  readonly tone: string;
  readonly more: readonly Child[];
}

function cards(figures: Summary, { measured, findings: all }: Data): Card[] {
  const { findings, files, severities, refuted, statuses, entries, costly } = figures;
  const found: Card[] = [
    {
      title: "Findings",
      value: findings.toLocaleString("en"),
      tone: findings === 0 ? "good" : severities.some(({ name }) => name === "error") ? "bad" : "poor",
      more: [listed(severities.map(({ name, count }) => counted(count, name))), `in ${counted(files, "file")} checked`],
    },
  ];
  if (figures.new !== null) {
    found.push({
      title: `Since ${figures.baseline}`,
      value: `${figures.new.toLocaleString("en")} new`,
      tone: figures.new === 0 ? "good" : "bad",
      more: [`${counted(figures.known ?? 0, "known finding")}, ${counted(figures.gone ?? 0, "gone one")}`],
    });
  }
  if (entries !== null) {
    found.push({
      title: "What the probe says",
      value: statuses.length === 0 ? "nothing to judge" : worded(statuses, "confirmed"),
      tone: statuses.some(({ name }) => name === "confirmed") ? "bad" : "quiet",
      more: [listed(statuses.filter(({ name }) => name !== "confirmed").map(({ name, count }) => `${count} ${name}`)), refuted > 0 ? "what is refuted is not counted" : ""],
    });
    found.push(captured(entries));
  }
  if (costly !== null) {
    found.push({
      title: "Costs most",
      value: costly.words,
      tone: "poor",
      more: [el("a", { text: costly.where, attributes: { href: hashOf({ kind: "finding", id: costly.finding }) } }), "eager to compiled, as it is and without it"],
    });
  } else if (measured) {
    const known = all.some(({ cost }) => cost !== null);
    found.push({ title: "Costs most", value: known ? "nothing" : "not measured", tone: "quiet", more: [known ? "no break was measured to cost time" : "of no break it is known what it costs"] });
  }
  return found;
}

function captured(entries: readonly Count[]): Card {
  const all = entries.reduce((sum, { count }) => sum + count, 0);
  const kinds = Object.keys(CAPTURED);
  const whole = entries[0]?.count ?? 0;
  return {
    title: "Captured",
    value: `${whole} of ${all} whole`,
    tone: whole === all ? "good" : "poor",
    more: [
      stack([{ label: "", segments: entries.map(({ name, count }, index) => ({ name, value: count, kind: `captured-${kinds[index] ?? ""}` })) }], "Entries", 300),
      listed(entries.slice(1).filter(({ count }) => count > 0).map(({ name, count }) => `${count} ${name}`)),
    ],
  };
}

function card({ title, value, tone, more }: Card): HTMLElement {
  return el(
    "article",
    { class: "card", attributes: { "data-tone": tone } },
    el("h2", { text: title }),
    el("p", { class: "value", text: value }),
    ...more.filter((one) => one !== "" && one !== null).map((one) => el("div", { class: "more" }, one)),
  );
}

function worded(counts: readonly Count[], name: string): string {
  return `${counts.find((one) => one.name === name)?.count ?? 0} ${name}`;
}

function listed(words: readonly string[]): string {
  return words.join(", ");
}

/** The drawing, and the same numbers as a table. */
function outcomes({ columns, outcomes: rows }: Summary): HTMLElement {
  const bars = columns.map(({ name }, column) => ({
    label: name,
    segments: rows.map(({ outcome: kind, words, counts }) => ({ name: words, value: counts[column] ?? 0, kind: `outcome-${kind}` })),
  }));
  return el(
    "section",
    { class: "card outcomes", attributes: { "aria-labelledby": "outcomes-title" } },
    el("h2", { text: "Findings by outcome, for each frontend in use", attributes: { id: "outcomes-title" } }),
    el(
      "div",
      { class: "beside" },
      stack(bars, "Findings by frontend"),
      el(
        "div",
        { class: "table-scroll" },
        el(
          "table",
          { attributes: { "aria-label": "Findings by outcome and frontend" } },
          el("thead", {}, el("tr", {}, el("th", { text: "Outcome", attributes: { scope: "col" } }), ...columns.map(({ name }) => el("th", { class: "figure", text: name, attributes: { scope: "col" } })))),
          el(
            "tbody",
            {},
            ...rows.map(({ outcome: kind, words, counts }) =>
              el(
                "tr",
                {},
                el("th", { class: "row-head", attributes: { scope: "row" } }, el("span", { class: `key outcome-${kind}`, attributes: { "aria-hidden": true } }), outcome(kind, words)),
                ...counts.map((count) => el("td", { class: "figure", text: count === 0 ? "·" : String(count) })),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

const MOST_TOLD = 6;

function told(title: string, texts: readonly string[], tone: string): HTMLElement | null {
  if (texts.length === 0) return null;
  const list = (rows: readonly string[]): HTMLElement => el("ul", {}, ...rows.map((text) => el("li", { text })));
  const rest = texts.slice(MOST_TOLD);
  return el(
    "section",
    { class: `card told ${tone}` },
    el("h2", { text: `${title} (${texts.length})` }),
    list(texts.slice(0, MOST_TOLD)),
    rest.length === 0 ? null : el("details", {}, el("summary", { text: `${rest.length} more` }), list(rest)),
  );
}
