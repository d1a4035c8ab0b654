/** Numbers and their nouns, and the tone of an outcome. */

import { outcomeOf, type Tone } from "@view/model/words";

import type { Captured } from "../data";

export type { Tone };

/** Sign and tone; the words come with the data. */
export function signOf(outcome: string): { symbol: string; tone: Tone } {
  const { symbol, tone } = outcomeOf(outcome);
  return { symbol, tone };
}

export const CAPTURED: Record<Captured, { symbol: string; tone: Tone }> = {
  whole: { symbol: "✓", tone: "good" },
  parts: { symbol: "‖", tone: "poor" },
  nothing: { symbol: "▷", tone: "bad" },
  unknown: { symbol: "?", tone: "quiet" },
};

export const STATUS_TONES: Record<string, Tone> = { confirmed: "bad", refuted: "good", not_reached: "quiet", predicted: "quiet" };

export function counted(value: number, noun: string, nouns = `${noun}s`): string {
  return `${value.toLocaleString("en")} ${value === 1 ? noun : nouns}`;
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
