/** What became of a frontend's run, in one word: to see all frontends at once. */

import type { Run } from "../../protocol";
import type { Icon } from "../page/icons";
import type { Tone } from "./figures";
import { counted } from "./figures";

export interface Outcome {
  /** For tests and styles. */
  readonly value: string;
  readonly tone: Tone;
  readonly icon: Icon;
  readonly words: string;
}

/** The server could not run it. */
export const FAILED: Outcome = { value: "failed", tone: "quiet", icon: "none", words: "did not run" };

export function outcomeOf(run: Run, index: number): Outcome {
  const call = run.calls[index];
  if (run.captured === "eager") return { value: "eager", tone: "quiet", icon: "eager", words: "reference" };
  if (run.captured === "refused" || call?.answer === "refused") return { value: "refused", tone: "poor", icon: "refused", words: "refused" };
  if (call === undefined) return { value: "ended", tone: "poor", icon: "error", words: "ended early" };
  if (call.answer === "wrong") return { value: "wrong", tone: "bad", icon: "wrong", words: call.branches === "lost" ? "wrong, branch lost" : "wrong" };
  if (call.answer === "error") return { value: "error", tone: "poor", icon: "error", words: "raises an error" };
  if (call.branches === "lost") return { value: "lost", tone: "poor", icon: "lost", words: "right by chance" };
  if (call.limit) return { value: "limit", tone: "poor", icon: "limit", words: "right, at the limit" };
  if (call.recompiles.length > 0) return { value: "recompiled", tone: "good", icon: "recompile", words: "right, recompiled" };
  if (run.captured === "nothing") return { value: "nothing", tone: "poor", icon: "none", words: "nothing captured" };
  if (run.captured === "parts") return { value: "parts", tone: "poor", icon: "parts", words: `right, ${counted(call.graphs, "graph")}` };
  return { value: "right", tone: "good", icon: "right", words: "right" };
}
