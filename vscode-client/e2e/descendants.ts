/** The processes below one, by the system's own list. */

import { execFileSync } from "node:child_process";

export interface Process {
  pid: number;
  command: string;
}

export function descendants(root: number): Process[] {
  const children = new Map<number, Process[]>();
  for (const line of execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    if (!match) continue;
    const parent = Number(match[2]);
    const siblings = children.get(parent) ?? [];
    siblings.push({ pid: Number(match[1]), command: match[3] ?? "" });
    children.set(parent, siblings);
  }
  const found: Process[] = [];
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop())
    for (const process of children.get(pid) ?? []) {
      found.push(process);
      open.push(process.pid);
    }
  return found;
}
