/** Asks the server that serves this page for runs. */

import { decoded, object } from "../common/data";
import type { Request, Run } from "../protocol";
import { run as runShape, runError } from "./shapes";

/** `reload`: the page is of another state of the program. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly reload = false,
  ) {
    super(message);
  }
}

const AGAIN_MS = 150;

/** Throws `Refused` with the server's own words, or what `signal` was aborted with. */
export async function fetchRun(request: Request, signal: AbortSignal): Promise<Run> {
  for (;;) {
    const answer = await asked(request, signal);
    const error = decoded(runError, answer);
    if (error === null) {
      const said = decoded(object<{ run: Run }>({ run: runShape }), answer);
      if (said === null) throw new Refused("The server's answer is not understood: it may be of another release than this page.", true);
      return said.run;
    }
    // Another window of this page asked for something else; this one still wants its own.
    if (error.superseded !== true) throw new Refused(error.error, error.changed === true);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    signal.throwIfAborted();
  }
}

async function asked(request: Request, signal: AbortSignal): Promise<unknown> {
  const search = new URLSearchParams(location.search);
  const program = search.get("program");
  try {
    const response = await fetch(program === null ? "api/run" : `api/run?${new URLSearchParams({ program }).toString()}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Capture-Token": search.get("token") ?? "" },
      body: JSON.stringify({ request }),
      signal,
    });
    return await response.json();
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Refused("The server does not answer. Start it again, and reload this page.", true);
  }
}
