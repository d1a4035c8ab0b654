/** Sentences in which `code` stands between backticks. */

import { type Child, el } from "./dom";

/** The code as elements; everything else, and a backtick without a partner, as text. */
export function prose(text: string): Child[] {
  return text.split(/(`[^`]+`)/).map((part) => (/^`[^`]+`$/.test(part) ? el("code", { text: part.slice(1, -1) }) : part));
}
