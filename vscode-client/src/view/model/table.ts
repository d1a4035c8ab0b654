/** Filter and order of the rows of a table. */

export type Cell = string | number;

export interface Order {
  readonly column: number;
  readonly descending: boolean;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The rows of which some cell holds each word of the filter; case does not count. */
export function filtered<T>(rows: readonly T[], cells: (row: T) => readonly Cell[], filter: string): T[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const texts = cells(row).map((cell) => String(cell).toLowerCase());
    return words.every((word) => texts.some((text) => text.includes(word)));
  });
}

/** Numbers by size, texts as a reader orders them (`x2` before `x10`); equal rows keep their order. */
export function sorted<T>(rows: readonly T[], cells: (row: T) => readonly Cell[], order: Order | null): T[] {
  if (order === null) return [...rows];
  const sign = order.descending ? -1 : 1;
  const key = (row: T): Cell => cells(row)[order.column] ?? "";
  return [...rows].sort((one, other) => sign * compared(key(one), key(other)));
}

function compared(one: Cell, other: Cell): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return collator.compare(String(one), String(other));
}

/** A click on a header: up, down, then as it came. */
export function nextOrder(order: Order | null, column: number): Order | null {
  if (order?.column !== column) return { column, descending: false };
  return order.descending ? null : { column, descending: true };
}
