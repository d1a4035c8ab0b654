/** The lines of source that came with the page. */

import type { Source, SourceLine } from "../data";

export class Texts {
  private readonly files: ReadonlyMap<string, Source["lines"]>;

  constructor(sources: readonly Source[]) {
    this.files = new Map(sources.map(({ path, lines }) => [path, lines]));
  }

  line(path: string, line: number): SourceLine | null {
    return this.files.get(path)?.[String(line)] ?? null;
  }

  /** Those of a range that came along, with their numbers in the file. */
  range(path: string, first: number, last: number): (SourceLine & { readonly line: number })[] {
    const found = [];
    for (let line = first; line <= last; line++) {
      const one = this.line(path, line);
      if (one !== null) found.push({ ...one, line });
    }
    return found;
  }
}
