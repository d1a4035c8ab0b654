/** One captured object: closed it is a line, open it has everything that the probe saw. */

import { type Child, el } from "../../common/dom";
import { table } from "../../common/table";
import type { Break, Entry, Explored, FrontendResult, Guard, Recompile, Symbol_ } from "../data";
import type { Texts } from "../model/texts";
import { CAPTURED, counted, nameOf } from "../model/words";
import { graphs } from "./graphs";
import { breakLink, type Later, later, outcome, part, place, shortPlace, signed } from "./parts";
import { functionSource, legend } from "./source";
import { remarks, times } from "./times";

/** So many functions are open at first; others open when they are wanted. */
const OPEN_FUNCTIONS = 1;

export function entryCard(entry: Entry, texts: Texts): Later {
  const { symbol, tone } = CAPTURED[entry.captured];
  const made = later(
    el(
      "span",
      { class: "entry-head" },
      el("span", { class: "entry-name", text: entry.id }),
      signed(symbol, entry.captured_words, tone),
      el("span", { class: "note", text: entry.figures }),
    ),
    () => body(entry, texts),
    { class: "card entry" },
  );
  made.details.id = `entry-${entry.id}`;
  return made;
}

function body(entry: Entry, texts: Texts): Child[] {
  const { functions, breaks, eager, matrix, recompiles, symbols, paths, omitted } = entry;
  const sources = functions.map((one, index) => ({
    one,
    element: later(el("span", {}, el("code", { text: one.name }), el("span", { class: "note", text: ` ${nameOf(one.path)}` })), () => [functionSource(one, texts)], { class: "function-more", open: index < OPEN_FUNCTIONS }),
  }));
  const reveal = (path: string, line: number): void => {
    const around = sources.filter(({ one }) => one.path === path && one.first <= line && line <= one.last).at(-1);
    if (around === undefined) return;
    around.element.fill();
    around.element.details.open = true;
    for (const { element } of sources) element.details.querySelectorAll(".pointed").forEach((row) => row.classList.remove("pointed"));
    const row = around.element.details.querySelector(`[data-line="${line}"]`);
    row?.classList.add("pointed");
    row?.scrollIntoView({ block: "center" });
  };
  return [
    el(
      "dl",
      { class: "facts" },
      ...fact("probed", entry.target),
      ...fact(entry.synthesised ? "inputs (made up)" : "inputs", ...runsOf(entry.inputs)),
      ...fact("torch", entry.torch),
      ...fact("note", entry.message),
      ...fact("left out", ...omitted),
    ),
    functions.length === 0 ? null : part("What went into which graph", legend(functions), ...sources.map(({ element }) => element.details)),
    breaks.length === 0 ? null : part(counted(breaks.length, "break"), breakList(breaks)),
    eager.length === 0 ? null : part("Runs eagerly", remarks(eager)),
    matrix.length === 0 ? null : part("Frontends, compared with eager", frontends(matrix)),
    entry.graphs.length === 0 ? null : part(graphsOf(entry.graphs), graphs(entry, reveal)),
    recompiles.length === 0 ? null : part(counted(recompiles.length, "recompilation"), recompileTable(recompiles)),
    ...times(entry),
    entry.guards.length === 0 ? null : el("section", { class: "part" }, later(el("h4", { text: counted(entry.guards.length, "guard") }), () => [guards(entry)]).details),
    symbols.length === 0 ? null : part("Symbolic sizes", symbolTable(symbols)),
    paths.length === 0 ? null : part("Other paths", pathList(paths)),
  ];
}

function graphsOf(all: Entry["graphs"]): string {
  const again = all.filter((one) => one.again).length;
  return again === 0 ? counted(all.length, "graph") : `${counted(all.length - again, "graph")}, and ${again} of functions that were compiled again`;
}

/** Inputs that are the same from call to call are told once. */
function runsOf(inputs: readonly string[]): string[] {
  const runs: { text: string; times: number }[] = [];
  for (const text of inputs) {
    const last = runs.at(-1);
    if (last?.text === text) last.times++;
    else runs.push({ text, times: 1 });
  }
  return runs.map(({ text, times: number }) => (number === 1 ? text : `${text}  (${number} calls)`));
}

function fact(name: string, ...values: readonly string[]): HTMLElement[] {
  const told = values.filter(Boolean);
  return told.length === 0 ? [] : [el("dt", { text: name }), el("dd", {}, ...told.map((value) => el("div", { text: value })))];
}

function breakList(breaks: readonly Break[]): HTMLElement {
  return el(
    "ul",
    { class: "plain" },
    ...breaks.map(({ at, reason, graph_break, function: inside }) =>
      el("li", {}, place(at), " ", inside === "" ? null : el("span", { class: "note", text: `in ${inside}: ` }), reason, " ", graph_break === null ? null : breakLink(graph_break)),
    ),
  );
}

function frontends(matrix: readonly FrontendResult[]): HTMLElement {
  return table<FrontendResult>({
    name: "frontends",
    label: "frontends",
    rows: matrix,
    columns: [
      { title: "Frontend", class: "narrow", value: ({ name }) => name },
      { title: "These calls", class: "narrow", value: ({ words }) => words, cell: (one) => outcome(one.outcome, one.words) },
      { title: "What it said", value: ({ message, others }) => `${message} ${others}`, cell: said },
      { title: "Line", class: "code whole", value: ({ at }) => shortPlace(at) },
    ],
  });
}

function said({ message, others, counterexample, perturbed }: FrontendResult): HTMLElement {
  return el(
    "div",
    {},
    message === "" ? null : el("p", { class: "said", text: message }),
    others === "" ? null : el("p", { class: "note said", text: `with other inputs: ${others}` }),
    counterexample === null
      ? null
      : el(
          "dl",
          { class: "facts" },
          ...fact("inputs", counterexample.inputs),
          ...fact("eager", counterexample.eager),
          ...fact("got", counterexample.got),
          ...fact("difference", counterexample.difference),
        ),
    perturbed.length === 0
      ? null
      : later(counted(perturbed.length, "other input"), () => [el("ul", { class: "plain" }, ...perturbed.map((one) => el("li", {}, `${one.change}: `, outcome(one.outcome, one.words), one.message === "" ? null : ` ${one.message}`)))]).details,
  );
}

function guards({ guards: rows, guard_kinds }: Entry): HTMLElement {
  return el(
    "div",
    {},
    table<Guard>({
      name: "guards",
      label: "guards",
      filter: rows.length > 8,
      rows,
      columns: [
        { title: "Kind", class: "code kind", value: ({ kind }) => kind },
        { title: "On", class: "code", value: ({ source }) => source },
        { title: "Holds while", class: "code", value: ({ expression }) => expression },
        { title: "Line", class: "code whole", value: ({ at }) => shortPlace(at) },
      ],
    }),
    guard_kinds.length === 0
      ? null
      : el("p", { class: "note", text: `Left out: ${guard_kinds.map(({ name, count }) => `${count} ${name}`).join(", ")}.` }),
  );
}

function recompileTable(recompiles: readonly Recompile[]): HTMLElement {
  return table<Recompile>({
    name: "recompiles",
    label: "recompilations",
    rows: recompiles,
    columns: [
      { title: "Call", class: "figure", value: ({ call }) => call },
      { title: "Function", class: "code", value: (one) => one.function },
      { title: "Guard that failed", class: "code", value: ({ guard }) => guard },
      { title: "Size", class: "code", value: ({ dimension }) => dimension },
      { title: "Limit", value: ({ limit_reached }) => (limit_reached ? "limit reached: eager from here on" : "") },
    ],
  });
}

function symbolTable(symbols: readonly Symbol_[]): HTMLElement {
  return table<Symbol_>({
    name: "symbols",
    label: "symbolic sizes",
    rows: symbols,
    columns: [
      { title: "Symbol", class: "code", value: ({ name }) => name },
      { title: "Size", class: "code", value: ({ source }) => source },
      { title: "Range", class: "code", value: ({ range }) => range },
      { title: "Line", class: "code whole", value: ({ at }) => shortPlace(at) },
    ],
  });
}

function pathList(paths: readonly Explored[]): HTMLElement {
  return el(
    "ol",
    { class: "paths" },
    ...paths.map(({ decisions, status, breaks, graphs: number }) =>
      el(
        "li",
        {},
        decisions.length === 0 ? "as given" : decisions.map(({ text, at }) => `${at.where} ${text}`).join(", "),
        el("span", { class: "note", text: ` · ${status} · ${counted(number, "graph")}` }),
        breaks.length === 0 ? null : breakList(breaks),
      ),
    ),
  );
}
