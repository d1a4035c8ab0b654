/** The program, and on its lines what the call and the capture do there. */

import { el } from "../../common/dom";
import { prose } from "../../common/prose";
import { pythonWords } from "../../common/python";
import type { Call, Controls, Run, Survey } from "../../protocol";
import { type Band, bandsOf, linesIn } from "../model/lines";
import { nameOf } from "../model/paths";
import { functionsIn, partWith, type Ran, ranOf, type Statement } from "../model/source";
import { icon } from "./icons";

/** Stripes beside the code; more graphs than this share the last one. */
const LANES = 6;

export interface SourcePane {
  readonly element: HTMLElement;
  readonly show: (run: Run | null, call: Call | null) => void;
  /** Marks a line and brings it into sight; null marks none. */
  readonly point: (line: number | null, scroll: boolean) => void;
}

interface Row {
  readonly element: HTMLLIElement;
  readonly bands: HTMLElement;
  readonly state: HTMLElement;
  readonly notes: HTMLElement;
}

export function sourcePane(survey: Survey, onLine: (line: number) => void): SourcePane {
  const { source, path, controls } = survey;
  const functions = functionsIn(source);
  const rows = pythonWords(source.replace(/\n$/, "")).map((words, index): Row => {
    const line = index + 1;
    const bands = el("span", { class: "bands" });
    const state = el("span", { class: "line-state" });
    const notes = el("div", { class: "line-notes" });
    const code = el("code", { class: "line-code" }, ...words.map(({ text, kind }) => (kind === "" ? text : el("span", { class: kind, text }))));
    const element = el(
      "li",
      {
        class: "line",
        attributes: { "data-line": line },
        on: {
          click: () => {
            if (String(getSelection()) === "") onLine(line);
          },
        },
      },
      el("span", { class: "line-number", text: String(line), attributes: { "aria-hidden": true } }),
      bands,
      state,
      code,
      notes,
    );
    return { element, bands, state, notes };
  });
  const legend = el("div", { class: "source-legend", attributes: { "aria-label": "Marks beside the lines" } });
  const list = el("ol", { class: "source-lines" }, ...rows.map(({ element }) => element));
  const scroller = el("div", { class: "source-scroll", attributes: { tabindex: 0, role: "region", "aria-label": "Source" } }, list);
  const element = el(
    "section",
    { class: "card source", attributes: { "aria-label": "Program", "data-part": "source" } },
    el("div", { class: "source-head" }, el("h2", { text: nameOf(path) }), legend),
    scroller,
  );
  const before = fold((lines) => rows.slice(0, lines[0] - 1));
  const after = fold((lines) => rows.slice(lines[1]));
  list.prepend(before.element);
  list.append(after.element);
  const seen = new Set<number>(lineOfEntry(survey));
  return {
    element,
    show: (run, call) => {
      const bands = run === null ? [] : bandsOf(run, call, path);
      const ran = call === null ? new Map<number, Ran>() : ranOf(functions, linesIn(call.lines), linesIn(call.missed));
      const notes = notesOf(run, call, path, controls);
      rows.forEach((row, index) => fill(row, index + 1, bands, ran, notes.get(index + 1) ?? []));
      legend.replaceChildren(...legendOf(bands, ran));
      // What any call ran stays in sight, so that the program does not jump from call to call.
      for (const line of ran.keys()) seen.add(line);
      for (const line of notes.keys()) seen.add(line);
      const part = partWith(source, seen);
      before.show(part);
      after.show(part);
    },
    point: (line, scroll) => {
      rows.forEach((row, index) => row.element.classList.toggle("pointed", index + 1 === line));
      if (line !== null) for (const one of [before, after]) one.openFor(rows[line - 1]);
      if (scroll && line !== null) bring(scroller, rows[line - 1]?.element);
    },
  };
}

/** Where the entry is defined, as far as its name says: what is in sight before anything was run. */
function lineOfEntry({ source, entry }: Survey): number[] {
  const name = entry.slice(entry.lastIndexOf(".") + 1);
  const line = source.split("\n").findIndex((text) => new RegExp(`^\\s*(?:async\\s+)?def\\s+${name.replace(/\W/g, "")}\\b`).test(text));
  return line < 0 ? [] : [line + 1];
}

/** Within the pane alone: the page itself stays where it is. */
function bring(scroller: HTMLElement, element: HTMLElement | undefined): void {
  if (element === undefined) return;
  const top = element.offsetTop - scroller.offsetTop;
  const inside = top >= scroller.scrollTop && top + element.offsetHeight <= scroller.scrollTop + scroller.clientHeight;
  if (!inside) scroller.scrollTop = top - scroller.clientHeight / 3;
}

/** Fewer lines are not worth a click. */
const WORTH_FOLDING = 4;

interface Fold {
  readonly element: HTMLElement;
  readonly show: (part: Statement | null) => void;
  readonly openFor: (row: Row | undefined) => void;
}

/** Lines outside of what is run, hidden behind a button. `rowsOutside`: those of one side of a part of the file. */
function fold(rowsOutside: (part: Statement) => Row[]): Fold {
  let open = false;
  let rows: readonly Row[] = [];
  const toggle = el("button", { class: "fold", attributes: { type: "button" }, on: { click: () => set(!open) } });
  const element = el("li", { class: "fold-line" }, toggle);
  const set = (next: boolean): void => {
    open = next;
    for (const row of rows) row.element.hidden = !open;
    const [first, last] = [rows[0]?.element.dataset.line ?? "", rows.at(-1)?.element.dataset.line ?? ""];
    toggle.textContent = `${open ? "▾" : "▸"} lines ${first}–${last}`;
    toggle.setAttribute("aria-expanded", String(open));
  };
  return {
    element,
    show: (part) => {
      for (const row of rows) row.element.hidden = false;
      rows = part === null ? [] : rowsOutside(part);
      if (rows.length < WORTH_FOLDING) rows = [];
      element.hidden = rows.length === 0;
      set(open);
    },
    openFor: (row) => {
      if (row !== undefined && rows.includes(row)) set(true);
    },
  };
}

const RAN_WORDS: Record<Ran, string> = { ran: "runs", missed: "runs eagerly, missing in the capture", "not run": "not run in this call", "": "" };

function fill(row: Row, line: number, bands: readonly Band[], ran: ReadonlyMap<number, Ran>, notes: readonly Note[]): void {
  const now = ran.get(line) ?? "";
  row.element.dataset.ran = now.replace(" ", "-");
  row.bands.replaceChildren(...bands.slice(0, LANES).map((band) => stripe(band, line)));
  const first = ran.get(line - 1) !== now;
  row.state.replaceChildren(
    ...(now === "" ? [] : [el("span", { class: "visually-hidden", text: `line ${line}, ${RAN_WORDS[now]}: ` })]),
    ...(now === "missed" && first ? [el("span", { class: "missed-flag", text: "not in the capture", attributes: { "aria-hidden": true } })] : []),
  );
  row.notes.replaceChildren(...notes.map(noteElement));
}

function stripe({ graph, lane, nodes, all }: Band, line: number): HTMLElement {
  if (!all.has(line)) return el("span", { class: "stripe" });
  const first = !all.has(line - 1);
  return el("span", {
    class: `stripe lane-${lane % LANES} ${nodes.has(line) ? "of-nodes" : "on-the-way"}${first ? " first" : ""}${all.has(line + 1) ? "" : " last"}`,
    text: first ? String(graph) : "",
    title: `graph ${graph}`,
    attributes: { "data-graph": graph, ...(first ? { "aria-label": `graph ${graph}`, role: "img" } : {}) },
  });
}

interface Note {
  readonly kind: "break" | "frozen" | "decision" | "refused";
  readonly tone: "bad" | "poor" | "good" | "quiet";
  readonly text: string;
  readonly more: string;
}

function notesOf(run: Run | null, call: Call | null, path: string, controls: Controls): Map<number, Note[]> {
  const notes = new Map<number, Note[]>();
  const add = (line: number, note: Note): void => {
    const there = notes.get(line);
    if (there === undefined) notes.set(line, [note]);
    else if (!there.some((one) => one.kind === note.kind && one.text === note.text && one.more === note.more)) there.push(note);
  };
  controls.decisions.forEach((decision, index) => {
    const now = call?.ways[index] ?? "";
    const captured = call?.captured_ways[index] ?? "";
    if (decision.path !== path || (now === "" && captured === "")) return;
    const otherwise = now !== captured && captured !== "" && run?.captured !== "eager";
    add(decision.line, {
      kind: "decision",
      tone: !otherwise ? "quiet" : call?.branches === "lost" ? "bad" : call?.branches === "kept" ? "good" : "poor",
      text: now === "" ? "not reached" : `took ${now}`,
      more: otherwise ? `captured: ${captured}` : "",
    });
  });
  const still = new Map<number, string[]>();
  for (const { line, what, captured, now, differs } of call?.frozen ?? []) {
    if (differs) add(line, { kind: "frozen", tone: call?.answer === "right" ? "poor" : "bad", text: `${what} = ${captured} frozen`, more: `now ${now}` });
    else still.set(line, [...(still.get(line) ?? []), `${what} = ${captured}`]);
  }
  for (const [line, values] of still) add(line, { kind: "frozen", tone: "quiet", text: `${values.join(", ")} frozen`, more: "" });
  for (const one of run?.breaks ?? []) {
    if (one.path === path) add(one.line, { kind: "break", tone: "poor", text: "graph break", more: one.reason });
  }
  if (run !== null && run.line !== null && run.message !== "") {
    add(run.line, { kind: "refused", tone: "poor", text: run.captured === "refused" ? "refused here" : "ends here", more: run.message });
  }
  return notes;
}

const NOTE_ICONS = { break: "break", frozen: "frozen", decision: "decision", refused: "refused" } as const;

function noteElement({ kind, tone, text, more }: Note): HTMLElement {
  return el(
    "span",
    { class: `line-note ${tone}`, title: more, attributes: { "data-note": kind, "data-tone": tone } },
    icon(NOTE_ICONS[kind]),
    el("span", { class: "note-text", text }),
    " ",
    more === "" ? null : el("span", { class: "note-more" }, ...prose(more)),
  );
}

function legendOf(bands: readonly Band[], ran: ReadonlyMap<number, Ran>): HTMLElement[] {
  const there = new Set(ran.values());
  return [
    ...bands.slice(0, LANES).map(({ graph, lane }) =>
      el("span", { class: "legend-item" }, el("span", { class: `stripe lane-${lane % LANES} of-nodes first last`, text: String(graph), attributes: { "aria-hidden": true } }), `graph ${graph}`),
    ),
    ...(bands.length > LANES ? [el("span", { class: "legend-item note", text: `and ${bands.length - LANES} more graphs` })] : []),
    ...(there.has("missed") ? [el("span", { class: "legend-item" }, el("span", { class: "sample missed" }), "eager runs it, the capture does not")] : []),
    ...(there.has("not run") ? [el("span", { class: "legend-item" }, el("span", { class: "sample not-run" }), "not run")] : []),
  ];
}
