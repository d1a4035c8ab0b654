/** What the report is of, and the ways into it. */

import { el } from "../../common/dom";
import { themeSwitch } from "../../common/theme";
import type { Data } from "../data";
import { counted } from "../model/words";

export function header(data: Data): HTMLElement {
  const { project, date, commit, made_by, torch, probed } = data;
  const facts: [string, string][] = [
    ["date", date],
    ["commit", commit.slice(0, 12)],
    ["judged for", `torch ${torch}`],
    ["probed by", probed.join(", ")],
    ["made by", made_by],
  ];
  return el(
    "header",
    { class: "top" },
    el("h1", {}, project, el("span", { class: "quiet", text: " · capture report" })),
    themeSwitch(),
    el("dl", { class: "about" }, ...facts.filter(([, value]) => value !== "").map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { text: value })))),
  );
}

export function ways({ summary, entries, history }: Data): HTMLElement {
  const links: [string, string][] = [
    ["summary", "Summary"],
    ["findings", counted(summary.findings, "finding")],
    ...(entries.length > 0 ? [["entries", counted(entries.length, "entry", "entries")] as [string, string]] : []),
    ...(history.length > 0 ? [["history", counted(history.length, "run")] as [string, string]] : []),
  ];
  return el("nav", { class: "ways", attributes: { "aria-label": "Parts of the report" } }, ...links.map(([id, text]) => el("a", { text, attributes: { href: `#${id}` } })));
}
