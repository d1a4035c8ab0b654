/** Python's words by kind, as the style sheets colour them (`.w-…`). */

import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";
import { parser } from "@lezer/python";

export interface Word {
  readonly text: string;
  /** A class for the style sheet; empty for plain text. */
  readonly kind: string;
}

const KINDS = tagHighlighter([
  { tag: [tags.keyword, tags.bool, tags.null, tags.self, tags.operatorKeyword], class: "w-keyword" },
  { tag: [tags.string, tags.special(tags.string), tags.docString], class: "w-string" },
  { tag: tags.number, class: "w-number" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.className, tags.definition(tags.variableName), tags.meta], class: "w-name" },
  { tag: tags.comment, class: "w-comment" },
]);

/** Line by line. */
export function pythonWords(source: string): Word[][] {
  const lines: Word[][] = [[]];
  highlightCode(
    source,
    parser.parse(source),
    KINDS,
    (text, kind) => lines.at(-1)?.push({ text, kind }),
    () => lines.push([]),
  );
  return lines;
}
