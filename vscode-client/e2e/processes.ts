/** Processes that the run starts, each the head of a group of its own, so that all of them can be ended. */

import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";

const running = new Map<ChildProcess, Promise<number>>();

export interface Started {
  pid: number;
  /** The exit status; 128 for one that a signal ended. */
  ended: Promise<number>;
  stop(): Promise<void>;
}

/** Starts a program whose output goes to a file. */
export function start(
  command: string,
  args: string[],
  options: { log: string; cwd?: string; env?: NodeJS.ProcessEnv },
): Started {
  const log = openSync(options.log, "a");
  const child = spawn(command, args, {
    detached: true,
    stdio: ["ignore", log, log],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
  });
  closeSync(log);
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      running.delete(child);
      resolve(code ?? 128);
    });
  });
  ended.catch(() => running.delete(child));
  running.set(child, ended);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${command} cannot be started`);
  return { pid, ended, stop: () => end(child, ended) };
}

/** Runs a program to its end, and throws if it fails. */
export async function run(
  command: string,
  args: string[],
  options: { log: string; cwd?: string; env?: NodeJS.ProcessEnv },
): Promise<void> {
  const status = await start(command, args, options).ended;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}: see ${options.log}`);
}

async function end(child: ChildProcess, ended: Promise<number>): Promise<void> {
  signalGroup(child, "SIGTERM");
  const late = setTimeout(() => signalGroup(child, "SIGKILL"), 10_000);
  await ended.catch(() => undefined);
  clearTimeout(late);
  // What a head that has ended left behind.
  signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone.
  }
}

/** Ends everything that still runs. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(([child, ended]) => end(child, ended)));
}
