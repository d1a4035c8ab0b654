import type { CaptureView, Island, Range } from "../protocol";

/** As many colours as `package.json` contributes for graphs. */
export const COLOURS = 6;

/** Which decoration a band gets. */
export type Look = `${"eager" | "skipped" | `island${number}`}${"" | "Stale"}`;

/** One island of one probed function, as a band tells of it. */
export interface Shown {
  /** The file and the function that was probed. */
  probed: { uri: string; name: string };
  stale: boolean;
  island: Island;
}

/** Consecutive lines, both ends included, that have the same islands; the first of these gives the look. */
export interface Band {
  start: number;
  end: number;
  look: Look;
  shown: [Shown, ...Shown[]];
  /** The first band of its island, counted from the last band of another one. */
  first: boolean;
}

/** What stands first on a line that several islands of one probe have: what is not in a graph is the exception. */
const ORDER: Record<Island["kind"], number> = { skipped: 0, eager: 1, graph: 2 };

/**
 * The bands of every file that the probes touched, by the file's URI.
 *
 * @param canonical the form in which URIs are compared
 */
export function layOut(views: readonly CaptureView[], canonical: (uri: string) => string): Map<string, Band[]> {
  const files = new Map<string, Map<number, Shown[]>>();
  for (const shown of inOrder(views)) {
    const uri = canonical(shown.island.uri);
    let lines = files.get(uri);
    if (lines === undefined) files.set(uri, (lines = new Map<number, Shown[]>()));
    for (const line of new Set(shown.island.ranges.flatMap(linesOf))) {
      const there = lines.get(line);
      if (there === undefined) lines.set(line, [shown]);
      else there.push(shown);
    }
  }
  const laid = new Map([...files].map(([uri, lines]) => [uri, runs(lines)]));
  const colours = colouring(laid.values());
  return new Map(
    [...laid].map(([uri, found]) => [uri, found.map((band) => ({ ...band, look: look(band.shown[0], colours) }))]),
  );
}

/** Newest probe first, as functions that call one another share lines. */
function inOrder(views: readonly CaptureView[]): Shown[] {
  return views
    .flatMap((view) => view.entries.map((entry) => ({ uri: view.uri, entry })))
    .sort((a, b) => b.entry.probed - a.entry.probed)
    .flatMap(({ uri, entry }) =>
      [...entry.islands]
        .sort((a, b) => ORDER[a.kind] - ORDER[b.kind] || (a.graph ?? 0) - (b.graph ?? 0))
        .map((island) => ({ probed: { uri, name: entry.name }, stale: entry.stale, island })),
    );
}

/** A range that ends at the beginning of a line does not have that line. */
function linesOf({ start, end }: Range): number[] {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return Array.from({ length: last - start.line + 1 }, (_, nth) => start.line + nth);
}

function runs(lines: Map<number, Shown[]>): Omit<Band, "look">[] {
  const found: Omit<Band, "look">[] = [];
  for (const [line, [top, ...others]] of [...lines].sort(([a], [b]) => a - b)) {
    if (top === undefined) continue;
    const last = found.at(-1);
    if (last?.end === line - 1 && same(last.shown, [top, ...others])) last.end = line;
    else found.push({ start: line, end: line, shown: [top, ...others], first: last?.shown[0] !== top });
  }
  return found;
}

function same(a: readonly Shown[], b: readonly Shown[]): boolean {
  return a.length === b.length && a.every((shown, nth) => shown === b[nth]);
}

function look({ probed, stale, island }: Shown, colours: Map<string, number>): Look {
  const base: Look = island.kind === "graph" ? `island${(colours.get(graphKey(probed, island)) ?? 0) + 1}` : island.kind;
  return stale ? `${base}Stale` : base;
}

function graphKey(probed: Shown["probed"], island: Island): string {
  return JSON.stringify([probed.uri, probed.name, island.graph]);
}

/** A graph has one colour in all files, its number's unless a graph beside it has that one. */
function colouring(files: Iterable<readonly Omit<Band, "look">[]>): Map<string, number> {
  const beside = new Map<string, Set<string>>();
  const wanted = new Map<string, number>();
  for (const found of files) {
    let last: string | null = null;
    for (const { shown } of found) {
      const [{ probed, island }] = shown;
      if (island.kind !== "graph") continue;
      const key = graphKey(probed, island);
      wanted.set(key, (island.graph ?? 0) % COLOURS);
      const neighbours = beside.get(key) ?? new Set();
      beside.set(key, neighbours);
      if (last !== null && last !== key) {
        neighbours.add(last);
        beside.get(last)?.add(key);
      }
      last = key;
    }
  }
  const colours = new Map<string, number>();
  for (const [key, neighbours] of beside) {
    const taken = new Set([...neighbours].map((neighbour) => colours.get(neighbour)));
    const first = wanted.get(key) ?? 0;
    const candidates = Array.from({ length: COLOURS }, (_, nth) => (first + nth) % COLOURS);
    colours.set(key, candidates.find((colour) => !taken.has(colour)) ?? first);
  }
  return colours;
}
