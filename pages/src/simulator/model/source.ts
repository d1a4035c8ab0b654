/** The program's text: which of its lines are one statement. */

import type { SyntaxNode, Tree } from "@lezer/common";
import { parser } from "@lezer/python";

/** First and last line; of a compound statement, those before its body. */
export type Statement = readonly [number, number];

/** Statements that run as a whole. */
const SIMPLE = new Set(
  "Assign Update Expression Return Raise Assert Import Delete Pass Break Continue Yield Print".split(" ").map((name) => `${name}Statement`),
);
/** Statements whose first lines run, up to their bodies. */
const COMPOUND = new Set(["IfStatement", "WhileStatement", "ForStatement", "WithStatement", "ClassDefinition"]);
/** What only holds other statements. */
const HOLDERS = new Set(["Body", "DecoratedStatement", "TryStatement", "MatchStatement", "MatchBody", "MatchClause"]);

export interface Function_ {
  readonly first: number;
  readonly last: number;
  readonly statements: readonly Statement[];
}

/** Every function with the statements in it, those of functions inside of it left to these. */
export function functionsIn(source: string): Function_[] {
  const tree: Tree = parser.parse(source);
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  const lineAt = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
  const found: Function_[] = [];
  const visit = (node: SyntaxNode, into: Statement[]): void => {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (child.name === "FunctionDefinition") {
        const statements: Statement[] = [];
        const body = child.getChild("Body");
        if (body !== null) visit(body, statements);
        found.push({ first: lineAt(child.from), last: lineAt(child.to - 1), statements });
      } else if (SIMPLE.has(child.name)) {
        if (!isDocstring(child)) into.push([lineAt(child.from), lineAt(child.to - 1)]);
      } else if (COMPOUND.has(child.name)) {
        headers(child, into, lineAt);
        visit(child, into);
      } else if (HOLDERS.has(child.name)) {
        visit(child, into);
      }
    }
  };
  visit(tree.topNode, []);
  return found;
}

function isDocstring(statement: SyntaxNode): boolean {
  return statement.firstChild?.name === "String" && statement.firstChild.nextSibling === null;
}

/** `if a:`, `elif b:`, `for x in y:`; an `else:` alone is nothing that runs. */
function headers(node: SyntaxNode, into: Statement[], lineAt: (offset: number) => number): void {
  let from: number | null = node.from;
  for (const body of node.getChildren("Body")) {
    if (from !== null) into.push([lineAt(from), lineAt(body.from)]);
    from = body.nextSibling?.name === "elif" ? body.nextSibling.from : null;
  }
}

/** The lines from the first to the last part of the file (a class, a function) that has one of these lines; a comment or
 * decorator right above belongs to it. */
export function partWith(source: string, lines: Iterable<number>): Statement | null {
  const text = source.split("\n");
  const ends: number[] = [];
  let offset = 0;
  for (const line of text) ends.push((offset += line.length + 1));
  const lineAt = (at: number): number => ends.findIndex((end) => at < end) + 1;
  const wanted = [...lines];
  let part: Statement | null = null;
  for (let node = parser.parse(source).topNode.firstChild; node !== null; node = node.nextSibling) {
    if (node.name === "Comment") continue;
    let first = lineAt(node.from);
    const last = lineAt(node.to - 1);
    if (!wanted.some((line) => first <= line && line <= last)) continue;
    while (text[first - 2]?.startsWith("#")) first--;
    part = part === null ? [first, last] : [part[0], last];
  }
  return part;
}

export type Ran = "ran" | "missed" | "not run" | "";

/** What became of each line in a call; empty for lines in which nothing can run or whose function was not called. */
export function ranOf(functions: readonly Function_[], lines: ReadonlySet<number>, missed: ReadonlySet<number>): Map<number, Ran> {
  const found = new Map<number, Ran>();
  const has = (set: ReadonlySet<number>, [first, last]: Statement): boolean => {
    for (let line = first; line <= last; line++) if (set.has(line)) return true;
    return false;
  };
  for (const one of functions) {
    if (!one.statements.some((statement) => has(lines, statement))) continue;
    for (const statement of one.statements) {
      const ran: Ran = has(missed, statement) ? "missed" : has(lines, statement) ? "ran" : "not run";
      for (let line = statement[0]; line <= statement[1]; line++) found.set(line, ran);
    }
  }
  // Lines outside of functions, or that the parser does not see, are as the data has them.
  for (const line of lines) if (!found.has(line)) found.set(line, missed.has(line) ? "missed" : "ran");
  return found;
}
