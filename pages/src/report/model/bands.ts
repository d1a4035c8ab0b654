/** Which island each line of a function belongs to. */

import type { Function_, Island } from "../data";

export interface Band {
  readonly island: Island;
  /** Colours go round; lines that run eagerly have none. */
  readonly lane: number | null;
  /** Whether the line before and the one behind it are of the island as well. */
  readonly begins: boolean;
  readonly ends: boolean;
}

export const LANES = 6;

export function bandsOf({ islands }: Function_): Map<number, Band> {
  const found = new Map<number, Band>();
  const lanes = new Map<number, number>();
  for (const island of islands) {
    if (island.graph !== null && !lanes.has(island.graph)) lanes.set(island.graph, lanes.size % LANES);
  }
  for (const island of islands) {
    const lane = island.graph === null ? null : (lanes.get(island.graph) ?? 0);
    for (const [first = 0, last = 0] of island.ranges) {
      for (let line = first; line <= last; line++) {
        found.set(line, { island, lane, begins: line === first, ends: line === last });
      }
    }
  }
  return found;
}
