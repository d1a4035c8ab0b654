/** Which findings are shown, and in which order. */

import type { Finding } from "../data";

export type Order = "cost" | "kind" | "file" | "rule" | "status";

export interface Choice {
  readonly text: string;
  /** Each empty for all. */
  readonly outcome: string;
  readonly frontend: string;
  readonly status: string;
  readonly mark: string;
  readonly order: Order;
  readonly descending: boolean;
}

export const ALL: Choice = { text: "", outcome: "", frontend: "", status: "", mark: "", order: "file", descending: false };

const SEVERITIES = ["error", "warning", "info", "hint"];
/** What stands first when sorted by it. */
const STATUSES = ["confirmed", "predicted", "not_reached", "refuted"];
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

export function chosen(findings: readonly Finding[], choice: Choice, outcomes: readonly string[]): Finding[] {
  const words = choice.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = findings.filter(
    (one) =>
      (choice.outcome === "" || one.outcome === choice.outcome) &&
      (choice.frontend === "" || one.judgements.some(({ frontend, in_use }) => in_use && frontend === choice.frontend)) &&
      (choice.status === "" || one.status === choice.status) &&
      (choice.mark === "" || one.mark === choice.mark) &&
      words.every((word) => textOf(one).includes(word)),
  );
  const sign = choice.descending ? -1 : 1;
  const compare = COMPARE[choice.order];
  // Within the same cost, kind or rule, by file.
  return found.sort((one, other) => sign * compare(one, other, outcomes) || byFile(one, other));
}

const texts = new WeakMap<Finding, string>();

function textOf(finding: Finding): string {
  const known = texts.get(finding);
  if (known !== undefined) return known;
  const { code, name, message, at, function: inside, outcome_words, status_words } = finding;
  const made = [code, name, message, at.where, inside, outcome_words, status_words].join("\n").toLowerCase();
  texts.set(finding, made);
  return made;
}

type Compare = (one: Finding, other: Finding, outcomes: readonly string[]) => number;

const COMPARE: Record<Order, Compare> = {
  cost: (one, other) => (other.cost?.gain ?? 0) - (one.cost?.gain ?? 0),
  kind: (one, other, outcomes) =>
    outcomes.indexOf(one.outcome) - outcomes.indexOf(other.outcome) || SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
  file: byFile,
  rule: (one, other) => collator.compare(one.code, other.code),
  status: (one, other) => STATUSES.indexOf(one.status) - STATUSES.indexOf(other.status) || collator.compare(one.mark, other.mark),
};

function byFile(one: Finding, other: Finding): number {
  return collator.compare(one.at.path, other.at.path) || one.at.line - other.at.line || one.column - other.column;
}
