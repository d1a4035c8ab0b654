/** Lines of source: the words by kind, a part marked, and whatever stands beside a line. */

import { type Child, el } from "../../common/dom";
import { pythonWords, type Word } from "../../common/python";
import type { SourceLine } from "../data";

export interface Marked {
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
}

export interface Beside {
  /** Between the number and the code. */
  readonly before?: Child;
  /** Behind the code. */
  readonly after?: Child;
  /** Below the code. */
  readonly notes?: readonly Child[];
  readonly class?: string;
}

type Row = SourceLine & { readonly line: number };

export function listing(rows: readonly Row[], label: string, marked: Marked | null, beside: (line: number) => Beside = () => ({})): HTMLElement {
  const words = pythonWords(rows.map(({ text }) => text).join("\n"));
  return el(
    "div",
    { class: "listing", attributes: { tabindex: 0, role: "region", "aria-label": label } },
    el(
      "ol",
      {},
      ...rows.map(({ line, number, text }, index) => {
        const { before = null, after = null, notes = [], class: kind = "" } = beside(line);
        const gap = (rows[index - 1]?.line ?? line - 1) !== line - 1;
        return el(
          "li",
          { class: `code-line ${kind}${gap ? " gap" : ""}`, attributes: { "data-line": line } },
          el("span", { class: "line-number", text: String(number) }),
          before,
          el("code", { class: "line-code" }, ...withMark(words[index] ?? [], marked === null ? null : extentOn(marked, line, text))),
          after,
          notes.length === 0 ? null : el("div", { class: "line-notes" }, ...notes),
        );
      }),
    ),
  );
}

/** The part of a line's text that is marked. Columns count characters, JavaScript counts units of UTF-16. */
function extentOn({ line, column, end_line, end_column }: Marked, now: number, text: string): [number, number] | null {
  if (now < line || now > end_line) return null;
  const units = (characters: number): number => Array.from(text).slice(0, characters).join("").length;
  return [now === line ? units(column - 1) : 0, now === end_line ? units(end_column - 1) : text.length];
}

function withMark(words: readonly Word[], extent: [number, number] | null): Child[] {
  const found: Child[] = [];
  let at = 0;
  for (const { text, kind } of words) {
    const cuts = extent === null ? [] : extent.map((end) => Math.min(Math.max(end - at, 0), text.length));
    const [from = 0, to = 0] = cuts;
    const parts: [string, boolean][] = [
      [text.slice(0, from), false],
      [text.slice(from, to), /\S/.test(text.slice(from, to))],
      [text.slice(to), false],
    ];
    for (const [piece, mark] of parts) {
      if (piece === "") continue;
      const classes = [kind, mark ? "marked" : ""].filter(Boolean).join(" ");
      found.push(classes === "" ? piece : el("span", { class: classes, text: piece }));
    }
    at += text.length;
  }
  return found;
}
