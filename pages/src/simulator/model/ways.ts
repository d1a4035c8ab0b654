/** From the ways of the decisions to the tried inputs that take them. */

import type { Controls } from "../../protocol";

const SIMPLE: readonly string[] = ["True", "False"];

export interface Way {
  /** `True`, `False` or `True, False, True`. */
  readonly way: string;
  /** The tried inputs to take for it; null where none goes this way. */
  readonly inputs: number | null;
  readonly chosen: boolean;
}

/** The ways that one decision can take: `True` and `False`, also where no inputs take it, then others that some took. A
 * decision that is always visited several times has only these. */
export function waysOf({ inputs }: Controls, decision: number, current: number): Way[] {
  const taken = inputs.map(({ ways }) => ways[decision] ?? "").filter((way) => way !== "");
  const plain = taken.length === 0 || taken.some((way) => SIMPLE.includes(way));
  const all = [...new Set([...(plain ? SIMPLE : []), ...taken])];
  const now = inputs[current]?.ways[decision] ?? "";
  return all.map((way) => ({ way, chosen: way === now, inputs: way === now ? current : nearest(inputs, decision, way, current) }));
}

/** Of the inputs that go this way, those that change the fewest other decisions; the earlier of equals. */
function nearest(inputs: Controls["inputs"], decision: number, way: string, current: number): number | null {
  const now = inputs[current]?.ways ?? [];
  let best: number | null = null;
  let least = Infinity;
  inputs.forEach(({ ways }, index) => {
    if (ways[decision] !== way) return;
    // A decision that one of both does not reach is no change of it.
    const changes = ways.filter((one, at) => at !== decision && one !== "" && now[at] !== "" && one !== now[at]).length;
    if (changes < least) [best, least] = [index, changes];
  });
  return best;
}
