/** Text as it is, in Markdown. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+\-.!|~&$]/g, "\\$&").replace(/\s+/g, " ");
}

/** Code in a line of Markdown. */
export function code(text: string): string {
  const ticks = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1;
  const fence = "`".repeat(ticks);
  const pad = ticks > 1 ? " " : "";
  return `${fence}${pad}${text.replace(/\s+/g, " ")}${pad}${fence}`;
}

/** The target of a link that runs a command of the editor. */
export function commandLink(command: string, ...args: unknown[]): string {
  // Parentheses stay as they are in encodeURIComponent, and would end the link.
  const query = encodeURIComponent(JSON.stringify(args)).replace(/\(/g, "%28").replace(/\)/g, "%29");
  return `command:${command}?${query}`;
}
