import type { CaptureView } from "../protocol";
import { layOut, type Band } from "./bands";

/**
 * The bands of all files. Those of a file stay the same object until a view that reaches into it was told anew: their lines
 * are those of the text at that time, and who drew them need not draw them again.
 */
export class Laid {
  private files = new Map<string, { bands: readonly Band[]; from: readonly CaptureView[] }>();

  constructor(private readonly canonical: (uri: string) => string) {}

  of(uri: string): readonly Band[] {
    return this.files.get(uri)?.bands ?? NONE;
  }

  update(views: readonly CaptureView[]): void {
    const before = this.files;
    const reached = views.map((view) => ({ view, files: new Set(filesOf(view, this.canonical)) }));
    this.files = new Map(
      [...layOut(views, this.canonical)].map(([uri, bands]) => {
        const from = reached.filter(({ files }) => files.has(uri)).map(({ view }) => view);
        const old = before.get(uri);
        const kept =
          old?.from.length === from.length && old.from.every((view) => from.includes(view)) && sameLooks(old.bands, bands);
        return [uri, { bands: kept ? old.bands : bands, from }];
      }),
    );
  }
}

const NONE: readonly Band[] = [];

/** The files into which the probes of a view reach. */
export function filesOf(view: CaptureView, canonical: (uri: string) => string): string[] {
  return [...new Set(view.entries.flatMap(({ islands }) => islands.map(({ uri }) => canonical(uri))))];
}

/** The views being the same, only the colours can differ, through graphs of other files. */
function sameLooks(a: readonly Band[], b: readonly Band[]): boolean {
  return a.length === b.length && a.every(({ look }, nth) => look === b[nth]?.look);
}
