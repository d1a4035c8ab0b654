/** The four figures of a call, in words. */

import type { Call, Run } from "../../protocol";
import type { Icon } from "../page/icons";
import { ranEagerly } from "./lines";

export type Tone = "good" | "poor" | "bad" | "quiet";

export interface Figure {
  readonly name: "captured" | "branches" | "answer" | "recompiles";
  readonly title: string;
  readonly value: string;
  readonly tone: Tone;
  readonly icon: Icon;
  readonly word: string;
  readonly detail: string;
}

export function figuresOf(run: Run, index: number): Figure[] {
  const call = run.calls[index] ?? null;
  return [captured(run, call), branches(run, call), answer(run, call), recompiles(run, call, index)];
}

type Said = Omit<Figure, "name" | "title">;

function captured(run: Run, call: Call | null): Figure {
  const { graphs, breaks, message } = run;
  // What was captured by the call that is shown; later calls may have added to it.
  const count = Math.min(graphs.length, call?.graphs ?? graphs.length);
  const first = breaks[0];
  const said: Record<Run["captured"], Said> = {
    whole: {
      value: "whole",
      tone: "good",
      icon: "whole",
      word: "one whole graph",
      detail: count > 1 ? `${count} graphs, one for each compilation` : nodes(run),
    },
    parts: {
      value: "parts",
      tone: "poor",
      icon: "parts",
      word: "in parts",
      detail: [
        counted(count, "graph"),
        breaks.length === 0 ? "part of it runs eagerly" : counted(Math.min(breaks.length, call?.breaks ?? breaks.length), "break"),
        first === undefined ? "" : `the first in line ${first.line}`,
      ]
        .filter(Boolean)
        .join(", "),
    },
    nothing: { value: "nothing", tone: "poor", icon: "none", word: "nothing", detail: message || "all of it runs eagerly" },
    refused: { value: "refused", tone: "poor", icon: "refused", word: "refused", detail: message },
    eager: { value: "eager", tone: "quiet", icon: "eager", word: "not captured", detail: "the program itself, for comparison" },
  };
  const figure: Figure = { name: "captured", title: "Graph captured?", ...said[run.captured] };
  if (call === null || graphs.length === 0 || run.captured === "eager" || !ranEagerly(call)) return figure;
  return { ...figure, tone: "poor", detail: `${counted(count, "graph")}; this call runs eagerly` };
}

function nodes({ graphs }: Run): string {
  const count = graphs.reduce((sum, graph) => sum + graph.nodes.length, 0);
  return count === 0 ? "" : counted(count, "node");
}

const BRANCHES: Record<Call["branches"], Said> = {
  kept: { value: "kept", tone: "good", icon: "fork", word: "preserved", detail: "this call goes another way, and the capture followed" },
  lost: { value: "lost", tone: "bad", icon: "lost", word: "lost", detail: "this call goes another way; the captured way ran" },
  "same way": { value: "same way", tone: "quiet", icon: "straight", word: "same way", detail: "decided as in the captured call: not put to the test" },
  none: { value: "none", tone: "quiet", icon: "straight", word: "no branch", detail: "no decision depends on these inputs" },
  refused: { value: "refused", tone: "poor", icon: "refused", word: "refused", detail: "no capture that could take one" },
};

function branches(run: Run, call: Call | null): Figure {
  const said: Said = call === null ? NOT_REACHED : BRANCHES[call.branches];
  if ((run.captured === "eager" || run.captured === "nothing") && call?.branches === "kept") {
    const detail = "this call goes another way, as Python decides";
    return { name: "branches", title: "Branches preserved?", ...said, tone: "quiet", detail };
  }
  const refused = call?.branches === "refused" && run.captured !== "refused";
  return { name: "branches", title: "Branches preserved?", ...said, ...(refused ? { detail: "this call ends in an error" } : {}) };
}

const NOT_REACHED: Said = { value: "unknown", tone: "quiet", icon: "none", word: "not reached", detail: "the run ended before this call" };

function answer(run: Run, call: Call | null): Figure {
  const title = "Answer right?";
  if (call === null) return { name: "answer", title, ...NOT_REACHED };
  const said: Record<Call["answer"], Said> = {
    right: {
      value: "right",
      tone: "good",
      icon: "right",
      word: "right",
      detail: run.captured === "eager" ? "it is the reference" : rightBy(call.largest),
    },
    wrong: { value: "wrong", tone: "bad", icon: "wrong", word: "wrong", detail: wrongBy(call) },
    error: { value: "error", tone: "poor", icon: "error", word: "error", detail: call.difference || call.got },
    refused: { value: "refused", tone: "poor", icon: "refused", word: "none", detail: "refused: there is no answer" },
  };
  return { name: "answer", title, ...said[call.answer] };
}

function rightBy(largest: number | null): string {
  if (largest === null) return "as eager";
  return largest === 0 ? "exactly as eager" : `as eager; largest difference ${shortNumber(largest)}`;
}

function wrongBy({ largest, difference }: Call): string {
  // Also right numbers can be the wrong answer: another shape, other memory, an argument that was not changed.
  return largest === null || largest === 0 ? difference : `largest difference ${shortNumber(largest)}`;
}

function recompiles(run: Run, call: Call | null, index: number): Figure {
  return { name: "recompiles", title: "Recompiles, failed guards", ...saidOfGuards(run, call, index) };
}

function saidOfGuards(run: Run, call: Call | null, index: number): Said {
  if (call === null) return NOT_REACHED;
  if (call.limit) {
    return { value: "limit", tone: "bad", icon: "limit", word: "limit reached", detail: call.recompiles.at(-1)?.guard ?? "from here on it runs eagerly" };
  }
  const count = call.recompiles.length;
  if (count > 0) {
    return { value: "recompiled", tone: "poor", icon: "recompile", word: counted(count, "recompile"), detail: call.recompiles.map(({ guard }) => guard).join("; ") };
  }
  const none = (detail: string): Said => ({ value: "none", tone: "quiet", icon: "none", word: "none", detail });
  if (run.captured === "eager") return none("nothing is compiled");
  if (run.captured === "refused" || run.captured === "nothing") return none("nothing was captured");
  if (run.guards.length === 0 && run.request.frontend === "script") return none("no guards: the script decides anew in each call");
  if (run.guards.length === 0) return none("no guards: nothing checks whether the graph still holds");
  const held = `${counted(run.guards.length, "guard")} ${run.guards.length === 1 ? "holds" : "hold"}`;
  return { value: "none", tone: "good", icon: "right", word: "none", detail: index === 0 ? `${counted(run.guards.length, "guard")} made` : held };
}

/** `1 graph`, `2 graphs` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Four digits are enough to compare. */
export function shortNumber(value: number): string {
  if (value === 0) return "0";
  const text = Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
  return text.replace("-", "−");
}

export interface Alarm {
  readonly tone: "bad" | "poor";
  readonly title: string;
  readonly text: string;
}

/** What no single figure says: a capture that looks fine and is not. */
export function alarmOf(run: Run, index: number): Alarm | null {
  const call = run.calls[index];
  if (call === undefined || run.captured === "eager" || run.captured === "refused") return null;
  const looks = run.captured === "whole" ? "The graph looks fine, and the answer is wrong." : "No error is raised, and the answer is wrong.";
  if (call.answer === "wrong" && call.branches === "lost") {
    return { tone: "bad", title: looks, text: "The branch that this call takes is not in the graph: the captured way ran instead, and nothing says so." };
  }
  if (call.answer === "wrong") {
    const stale = call.frozen.filter(({ differs }) => differs).map(({ what }) => what);
    const text = stale.length > 0 ? `The graph holds ${stale.join(", ")} as constants of the captured call, and nothing says so.` : `${call.difference}. Nothing says so.`;
    return { tone: "bad", title: looks, text };
  }
  if (call.branches === "lost" && call.answer === "right") {
    return { tone: "poor", title: "The answer is right by chance.", text: "The branch that this call takes is not in the graph; here, both ways give the same." };
  }
  return null;
}
