/** What the reader has chosen, and the request that it makes. */

import type { Combination, Controls, Frontend, Request } from "../../protocol";
import { combinationKey, givenCombination } from "./combination";

export const TABS = ["graph", "code", "guards", "calls"] as const;
export type Tab = (typeof TABS)[number];

/** More calls of one captured object are not made. */
export const MOST_CALLS = 48;

export interface State {
  readonly frontend: Frontend;
  /** The first captures; at least one. */
  readonly calls: readonly Combination[];
  /** Each change is one more call of the same captured object. */
  readonly keep: boolean;
  /** The call that is shown. */
  readonly shown: number;
  readonly tab: Tab;
}

export function firstState(controls: Controls, frontend?: Frontend): State {
  return {
    frontend: frontend ?? controls.frontends.find((one) => one === "dynamo") ?? controls.frontends[0] ?? "eager",
    calls: [givenCombination(controls)],
    keep: false,
    shown: 0,
    tab: "graph",
  };
}

export function requestOf({ frontend, calls }: State): Request {
  return { frontend, calls: [...calls] };
}

/** The choices that the controls show. */
export function currentOf(state: State): Combination {
  const call = state.calls[state.shown] ?? state.calls[0];
  if (call === undefined) throw new RangeError("a state has at least the captured call");
  return call;
}

/** Other choices: one more call, or the one call after the capture. */
export function called(state: State, combination: Combination): State {
  if (combinationKey(combination) === combinationKey(currentOf(state))) return state;
  const [captured] = state.calls;
  if (captured === undefined) return state;
  if (state.keep) {
    if (state.calls.length >= MOST_CALLS) return state;
    return { ...state, calls: [...state.calls, combination], shown: state.calls.length };
  }
  const back = combinationKey(combination) === combinationKey(captured);
  return { ...state, calls: back ? [captured] : [captured, combination], shown: back ? 0 : 1 };
}

/** The same choices once more: a call that finds what the last one compiled. */
export function calledAgain(state: State): State {
  if (state.calls.length >= MOST_CALLS) return state;
  return { ...state, keep: true, calls: [...state.calls, currentOf(state)], shown: state.calls.length };
}

/** The present choices become the captured call; the history begins anew. */
export function capturedWith(state: State): State {
  return { ...state, calls: [currentOf(state)], shown: 0 };
}

export function startedOver(state: State, controls: Controls): State {
  return { ...state, calls: [givenCombination(controls)], keep: false, shown: 0 };
}

/** Without keeping, no more than the capture and one call are there. */
export function keeping(state: State, keep: boolean): State {
  if (keep || state.calls.length <= 2) return { ...state, keep };
  return called({ ...state, keep: false, shown: 0, calls: state.calls.slice(0, 1) }, currentOf(state));
}
