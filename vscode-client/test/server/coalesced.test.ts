import assert from "node:assert/strict";
import { test } from "node:test";

import { Coalesced } from "../../src/server/coalesced";

interface Run {
  forced: boolean;
  end: (error?: Error) => void;
}

/** A task whose runs end when they are told to. */
function controlled(): { queue: Coalesced; runs: Run[]; atOnce: () => number } {
  const runs: Run[] = [];
  let now = 0;
  let most = 0;
  const queue = new Coalesced((forced) => {
    most = Math.max(most, ++now);
    return new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        now--;
        if (error) reject(error);
        else resolve();
      };
      runs.push({ forced, end });
    });
  });
  return { queue, runs, atOnce: () => most };
}

test("restarts that are asked for meanwhile are one, after the running one", async () => {
  const { queue, runs, atOnce } = controlled();
  const first = queue.ask(false);
  const later = [queue.ask(false), queue.ask(true), queue.ask(false)];
  assert.equal(runs.length, 1);
  runs[0]?.end();
  await first;
  await Promise.resolve();
  assert.deepEqual(
    runs.map((run) => run.forced),
    [false, true],
  );
  runs[1]?.end();
  await Promise.all(later);
  assert.equal(runs.length, 2);
  assert.equal(atOnce(), 1);
});

test("a run that fails fails for those who asked for it, and the next is tried", async () => {
  const { queue, runs } = controlled();
  const first = queue.ask(false);
  const second = queue.ask(false);
  runs[0]?.end(new Error("no"));
  await assert.rejects(first, /no/);
  await Promise.resolve();
  runs[1]?.end();
  await second;
});

test("once all have ended the next begins at once, not forced", async () => {
  const { queue, runs } = controlled();
  const first = queue.ask(true);
  runs[0]?.end();
  await first;
  const second = queue.ask(false);
  assert.equal(runs[1]?.forced, false);
  runs[1].end();
  await second;
});
