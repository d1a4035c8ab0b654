/** Waiting for something to become so. */

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Asks again and again until the answer is neither false, null nor undefined. An error counts as "not yet"; the last
 * one is told when the time is over.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  limit = 90_000,
  interval = 150,
): Promise<T> {
  const start = Date.now();
  let last: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== false && answer !== null && answer !== undefined) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() - start > limit) {
      const detail = last instanceof Error ? `: ${last.message}` : "";
      throw new Error(`not seen in ${limit / 1000} s: ${what}${detail}`);
    }
    await pause(interval);
  }
}

/** Checks that something stays as it is for a while. */
export async function holds(what: string, ask: () => Promise<boolean> | boolean, time: number): Promise<void> {
  const start = Date.now();
  while (Date.now() - start < time) {
    if (!(await ask())) throw new Error(`does not hold: ${what}`);
    await pause(150);
  }
}
