/** The events of a call, in words. */

import type { Call, EventKind } from "../../protocol";
import type { Icon } from "../page/icons";

interface Worded {
  readonly icon: Icon;
  readonly word: string;
  readonly tone: "good" | "poor" | "bad" | "quiet";
}

export const EVENTS: Record<EventKind, Worded> = {
  eager: { icon: "eager", word: "eager", tone: "quiet" },
  capture: { icon: "capture", word: "capture", tone: "quiet" },
  compile: { icon: "compile", word: "compile", tone: "quiet" },
  hit: { icon: "right", word: "hit", tone: "good" },
  recompile: { icon: "recompile", word: "recompile", tone: "poor" },
  break: { icon: "break", word: "break", tone: "poor" },
  skip: { icon: "skip", word: "skip", tone: "poor" },
  limit: { icon: "limit", word: "limit", tone: "bad" },
  refused: { icon: "refused", word: "refused", tone: "poor" },
  error: { icon: "error", word: "error", tone: "poor" },
};

/** The kinds of a call's events, each once, what weighs most first. */
const WEIGHT: readonly EventKind[] = ["error", "refused", "limit", "recompile", "break", "skip", "compile", "capture", "hit", "eager"];

export function kindsOf({ events }: Call): EventKind[] {
  const there = new Set(events.map(({ kind }) => kind));
  return WEIGHT.filter((kind) => there.has(kind));
}
