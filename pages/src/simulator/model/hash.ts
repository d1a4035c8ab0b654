/** The state in the address, so that a link shows the same. */

import type { Combination, Controls } from "../../protocol";
import { combinationFrom, combinationKey } from "./combination";
import { firstState, MOST_CALLS, type State, TABS } from "./state";

export function hashOf({ frontend, calls, keep, shown, tab }: State): string {
  const parts = new URLSearchParams({ frontend, calls: calls.map(combinationKey).join("_") });
  if (keep) parts.set("keep", "1");
  if (shown !== calls.length - 1) parts.set("call", String(shown));
  if (tab !== "graph") parts.set("tab", tab);
  return `#${parts.toString()}`;
}

/** Null where the hash says nothing that these controls have. */
export function stateFrom(hash: string, controls: Controls): State | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const frontend = controls.frontends.find((one) => one === parts.get("frontend"));
  const calls = parts.get("calls")?.split("_").slice(0, MOST_CALLS).map((key) => combinationFrom(key, controls)) ?? [];
  if (frontend === undefined || calls.length === 0 || calls.includes(null)) return null;
  const last = calls.length - 1;
  const shown = Number(parts.get("call") ?? last);
  return {
    ...firstState(controls, frontend),
    calls: calls as Combination[],
    keep: parts.get("keep") === "1" || calls.length > 2,
    shown: Number.isInteger(shown) && shown >= 0 && shown <= last ? shown : last,
    tab: TABS.find((tab) => tab === parts.get("tab")) ?? "graph",
  };
}
