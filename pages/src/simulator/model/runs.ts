/** The runs that are known: recorded in the page, or fetched. */

import type { Request, Run } from "../../protocol";
import { combinationKey, distance, requestKey } from "./combination";

export class Runs {
  private readonly known = new Map<string, Run>();

  constructor(runs: readonly Run[]) {
    for (const run of runs) this.add(run);
  }

  add(run: Run): void {
    this.known.set(requestKey(run.request), run);
  }

  get all(): Run[] {
    return [...this.known.values()];
  }

  /** The run of just this request, or the beginning of a longer one. */
  find(request: Request): Run | null {
    return this.known.get(requestKey(request)) ?? this.beginning(request);
  }

  /** Of a longer run, as far as what it holds after its last call was there after this one already. */
  private beginning({ frontend, calls }: Request): Run | null {
    const wanted = calls.map(combinationKey);
    const last = wanted.length - 1;
    const longer = this.all.find(
      ({ request, graphs, breaks, ...run }) =>
        request.frontend === frontend &&
        request.calls.length > wanted.length &&
        wanted.every((key, index) => key === keyOf(request, index)) &&
        run.calls[last]?.graphs === graphs.length &&
        run.calls[last].breaks === breaks.length,
    );
    if (longer === undefined) return null;
    return { ...longer, request: { frontend, calls }, calls: longer.calls.slice(0, wanted.length) };
  }

  /** The requests of known runs that are most like this one: of its frontend first, then by what differs. */
  nearest(request: Request, most: number): Request[] {
    return this.all
      .map((run) => ({ request: run.request, far: farness(run.request, request) }))
      .sort((one, other) => one.far - other.far)
      .slice(0, most)
      .map((one) => one.request);
  }
}

function keyOf({ calls }: Request, index: number): string {
  const call = calls[index];
  return call === undefined ? "" : combinationKey(call);
}

const OTHER_FRONTEND = 1000;

function farness(one: Request, other: Request): number {
  const between = (a: Request["calls"][number] | undefined, b: Request["calls"][number] | undefined): number =>
    a === undefined || b === undefined ? 0 : distance(a, b);
  return (
    (one.frontend === other.frontend ? 0 : OTHER_FRONTEND) +
    2 * between(one.calls.at(-1), other.calls.at(-1)) +
    2 * between(one.calls[0], other.calls[0]) +
    Math.abs(one.calls.length - other.calls.length)
  );
}
