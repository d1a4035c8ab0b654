/** The table of findings; a row opens to all about it. */

import { button, type Child, el } from "../../common/dom";
import type { Data, Entry, Finding } from "../data";
import { ALL, type Choice, chosen, type Order } from "../model/choice";
import type { Texts } from "../model/texts";
import { counted, STATUS_TONES } from "../model/words";
import { details } from "./finding";
import { badge, outcome, place } from "./parts";

/** More rows are drawn when they are asked for. */
const AT_ONCE = 200;

interface Column {
  readonly title: string;
  readonly order: Order | null;
  readonly class: string;
  readonly cell: (finding: Finding) => Child;
}

export interface FindingList {
  readonly element: HTMLElement;
  /** Opens a finding and brings it into sight; whether there is such a one. */
  readonly go: (id: string) => boolean;
}

export function findingList(data: Data, texts: Texts): FindingList {
  const { findings, summary, outcome_words } = data;
  const outcomes = Object.keys(outcome_words);
  const columns = columnsOf(data);
  const inEntries = entriesByLine(data.entries);
  const open = new Set<string>();
  /** Of the rows that were drawn last. */
  const openers = new Map<string, () => void>();
  let choice: Choice = { ...ALL, order: data.measured ? "cost" : "file" };
  let shown: Finding[] = [];
  let drawn = AT_ONCE;

  const head = el("tr");
  const body = el("tbody");
  const status = el("p", { class: "note", attributes: { role: "status" } });
  const more = el("div", { class: "more-rows" });

  const change = (next: Partial<Choice>): void => {
    choice = { ...choice, ...next };
    drawn = AT_ONCE;
    draw();
  };
  const draw = (): void => {
    shown = chosen(findings, choice, outcomes);
    head.replaceChildren(...columns.map(header));
    body.replaceChildren();
    openers.clear();
    append(0);
  };
  const append = (from: number): void => {
    body.append(...shown.slice(from, drawn).flatMap(rows));
    status.textContent = told(shown, findings);
    const left = shown.length - drawn;
    more.replaceChildren(
      ...(left <= 0
        ? []
        : [
            button(`Show ${Math.min(left, AT_ONCE)} more`, () => showTo(drawn + AT_ONCE), { class: "button" }),
            button(`Show all ${shown.length}`, () => showTo(shown.length), { class: "button" }),
          ]),
    );
  };
  const showTo = (next: number): void => {
    const from = Math.min(drawn, shown.length);
    drawn = next;
    append(from);
  };
  const header = ({ title, order, class: kind }: Column): HTMLElement => {
    const now = order !== null && choice.order === order;
    return el(
      "th",
      { class: kind, attributes: { scope: "col", ...(order === null ? {} : { "aria-sort": now ? (choice.descending ? "descending" : "ascending") : "none" }) } },
      order === null
        ? title
        : button(title, () => {
            change({ order, descending: now && !choice.descending });
            head.querySelector<HTMLElement>(`[data-key="sort:${order}"]`)?.focus();
          }, { key: `sort:${order}`, class: now ? (choice.descending ? "sorted down" : "sorted up") : "" }),
    );
  };
  const rows = (finding: Finding): HTMLElement[] => {
    const id = `finding-${finding.id}`;
    const toggle = button("", () => set(!open.has(finding.id)), { class: "toggle", attributes: { "aria-expanded": false } });
    toggle.append(el("span", { class: "chevron", attributes: { "aria-hidden": true } }), el("span", { class: "code", text: finding.code }));
    const row = el(
      "tr",
      { class: `finding ${finding.status}`, attributes: { id }, on: { click: (event) => { if (!(event.target as Element).closest("a, button") && String(getSelection()) === "") set(!open.has(finding.id)); } } },
      ...columns.map(({ cell, class: kind }, index) => el("td", { class: kind }, ...(index === 0 ? [toggle] : []), cell(finding))),
    );
    let below: HTMLElement | null = null;
    const made = (): HTMLElement =>
      (below ??= el("tr", { class: "finding-more", attributes: { id: `${id}-details` } }, el("td", { attributes: { colspan: columns.length } }, details(finding, texts, inEntries(finding)))));
    const set = (wanted: boolean): void => {
      if (wanted) {
        open.add(finding.id);
        row.after(made());
        toggle.setAttribute("aria-controls", `${id}-details`);
      } else {
        open.delete(finding.id);
        below?.remove();
        toggle.removeAttribute("aria-controls");
      }
      toggle.setAttribute("aria-expanded", String(wanted));
      row.classList.toggle("open", wanted);
    };
    openers.set(finding.id, () => set(true));
    if (!open.has(finding.id)) return [row];
    toggle.setAttribute("aria-expanded", "true");
    row.classList.add("open");
    return [row, made()];
  };
  draw();

  const element = el(
    "section",
    { class: "findings", attributes: { id: "findings", "aria-labelledby": "findings-title" } },
    el("h2", { text: "Findings", attributes: { id: "findings-title" } }),
    findings.length === 0
      ? el("p", { class: "note empty", text: "Nothing was found." })
      : el(
          "div",
          {},
          filters(data, (next) => change(next)),
          status,
          el("div", { class: "table-scroll" }, el("table", { class: "finding-table", attributes: { "aria-label": "Findings" } }, el("thead", {}, head), body)),
          more,
        ),
    gone(data),
  );
  return {
    element,
    go: (id) => {
      if (!findings.some((one) => one.id === id)) return false;
      let index = shown.findIndex((one) => one.id === id);
      if (index < 0) {
        change({ ...ALL, order: choice.order, descending: choice.descending });
        element.querySelectorAll<HTMLInputElement | HTMLSelectElement>(".filters :is(input, select)").forEach((one) => (one.value = ""));
        index = shown.findIndex((one) => one.id === id);
      }
      if (index >= drawn) showTo(index + 1);
      openers.get(id)?.();
      const row = document.getElementById(`finding-${id}`);
      row?.scrollIntoView({ block: "start" });
      row?.querySelector<HTMLElement>(".toggle")?.focus({ preventScroll: true });
      return true;
    },
  };

  function columnsOf({ measured, summary: { new: news } }: Data): Column[] {
    const probed = summary.entries !== null;
    return [
      { title: "Rule", order: "rule", class: "rule", cell: ({ name }) => el("div", { class: "note rule-name", text: name }) },
      { title: "Where", order: "file", class: "where", cell: ({ at, function: inside }) => el("div", {}, place(at), inside === "" ? null : el("div", { class: "note mono", text: inside })) },
      { title: "What", order: null, class: "what", cell: ({ message }) => message },
      { title: "Kind", order: "kind", class: "kind", cell: (one) => el("div", {}, outcome(one.outcome, one.outcome_words), el("div", { class: "note", text: one.severity })) },
      ...(probed ? [{ title: "Probe", order: "status" as const, class: "status", cell: (one: Finding) => badge(one.status_words, STATUS_TONES[one.status] ?? "quiet") }] : []),
      ...(measured ? [{ title: "Cost", order: "cost" as const, class: "cost", cell: ({ cost }: Finding) => (cost === null ? el("span", { class: "note", text: "not measured" }) : cost.change) }] : []),
      ...(news !== null ? [{ title: "Baseline", order: null, class: "mark", cell: ({ mark }: Finding) => badge(mark, mark === "new" ? "bad" : "quiet") }] : []),
    ];
  }
}

/** What was refuted is there, but it is none of the findings that are counted. */
function told(shown: readonly Finding[], findings: readonly Finding[]): string {
  const refuted = (all: readonly Finding[]): number => all.filter(({ status }) => status === "refuted").length;
  const left = shown.length - refuted(shown);
  const all = findings.length - refuted(findings);
  const found = shown.length === findings.length ? counted(all, "finding") : `${left} of ${counted(all, "finding")}`;
  return refuted(shown) === 0 ? found : `${found}, and ${refuted(shown)} that the probe refuted`;
}

function filters({ findings, summary, outcome_words }: Data, change: (next: Partial<Choice>) => void): HTMLElement {
  const used = new Set(findings.map(({ outcome: kind }) => kind));
  const statuses = new Map(findings.map(({ status, status_words }) => [status, status_words]));
  const select = (label: string, all: string, options: readonly (readonly [string, string])[], set: (value: string) => void): HTMLElement | null => {
    if (options.length < 2) return null;
    const element = el("select", { attributes: { "aria-label": label }, on: { change: () => set(element.value) } }, el("option", { text: all, attributes: { value: "" } }), ...options.map(([value, text]) => el("option", { text, attributes: { value } })));
    return element;
  };
  return el(
    "div",
    { class: "filters", attributes: { role: "search", "aria-label": "Findings" } },
    el("input", { class: "filter", attributes: { type: "search", placeholder: "Filter by text", "aria-label": "Filter findings by text", spellcheck: false }, on: { input: (event) => change({ text: (event.target as HTMLInputElement).value }) } }),
    select("Kind", "all kinds", Object.entries(outcome_words).filter(([kind]) => used.has(kind)), (outcome_) => change({ outcome: outcome_ })),
    select("Frontend", "all frontends", summary.columns.map(({ name }) => [name, name] as const), (frontend) => change({ frontend })),
    summary.entries === null ? null : select("What the probe says", "probed or not", [...statuses], (status) => change({ status })),
    summary.new === null ? null : select("Baseline", "new and known", [["new", "new"], ["known", "known"]], (mark) => change({ mark })),
  );
}

function gone({ gone: rows, summary }: Data): HTMLElement | null {
  if (rows.length === 0) return null;
  return el(
    "details",
    { class: "card gone" },
    el("summary", { text: `${counted(rows.length, "finding")} of ${summary.baseline} no longer ${rows.length === 1 ? "occurs" : "occur"}` }),
    el("ul", {}, ...rows.map(({ code, path, function: inside, expression }) => el("li", {}, el("code", { text: `${code} ${expression}` }), ` ${path}${inside === "" ? "" : `::${inside}`}`))),
  );
}

/** The entries in whose functions a finding stands. */
function entriesByLine(entries: readonly Entry[]): (finding: Finding) => Map<string, string> {
  const byPath = new Map<string, { first: number; last: number; entry: Entry }[]>();
  for (const entry of entries) {
    for (const { path, first, last } of entry.functions) {
      const there = byPath.get(path) ?? [];
      there.push({ first, last, entry });
      byPath.set(path, there);
    }
  }
  return ({ at }) => {
    const around = (byPath.get(at.path) ?? []).filter(({ first, last }) => first <= at.line && at.line <= last);
    return new Map(around.map(({ entry }) => [entry.id, entry.id]));
  };
}
