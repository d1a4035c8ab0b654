/** Guards, and which of them failed in a call. */

import type { Call, Guard } from "../../protocol";

export interface GuardRow extends Guard {
  readonly failed: boolean;
}

/** The guard table's rows, those that failed on top; one that is not among the guards has a row of its own. */
export function guardRows(guards: readonly Guard[], call: Call | null): GuardRow[] {
  const reasons = call?.recompiles ?? [];
  const matched = new Set<number>();
  const failing = new Set<number>();
  reasons.forEach(({ guard }, index) => {
    guards.forEach((one, at) => {
      if (!isAbout(guard, one)) return;
      failing.add(at);
      matched.add(index);
    });
  });
  const own = reasons
    .filter((_, index) => !matched.has(index))
    .map((one): GuardRow => ({ kind: "failed", source: one.dimension ?? "", expression: one.guard, path: one.path, line: one.line, failed: true }));
  const rows = guards.map((guard, at): GuardRow => ({ ...guard, failed: failing.has(at) }));
  return [...own, ...rows.filter(({ failed }) => failed), ...rows.filter(({ failed }) => !failed)];
}

function isAbout(reason: string, { expression }: Guard): boolean {
  return expression !== "" && squeezed(reason).includes(squeezed(expression));
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "").replaceAll('"', "'");
}
