/** Links to a finding or an entry: `#finding=…`, `#entry=…`. */

export type Kind = "finding" | "entry";

export interface Target {
  readonly kind: Kind;
  readonly id: string;
}

export function hashOf({ kind, id }: Target): string {
  return `#${kind}=${encodeURIComponent(id)}`;
}

export function targetOf(hash: string): Target | null {
  const found = /^#(finding|entry)=(.+)$/.exec(hash);
  if (found === null) return null;
  try {
    return { kind: found[1] as Kind, id: decodeURIComponent(found[2] ?? "") };
  } catch {
    return null;
  }
}
