import { MarkdownString, Range, type DecorationOptions, type TextDocument, type TextEditor } from "vscode";

import type { Band } from "./bands";
import type { Decorations } from "./decorations";
import { label, legend, OPEN_VIEW } from "./legend";

/** What was last set in an editor: for which text, and for each decoration type what it shows. */
interface Painted {
  bands: readonly Band[];
  version: number;
  parts: Map<string, string>;
}

const NOTHING = "[]";

/** Sets the decorations of editors, and only where they are other ones than before. */
export class Painter {
  private readonly painted = new WeakMap<TextEditor, Painted>();

  constructor(private readonly decorations: Decorations) {}

  paint(editor: TextEditor, bands: readonly Band[]): void {
    const { document } = editor;
    const before = this.painted.get(editor);
    // They move with the text until there are others.
    if (before?.bands === bands) return;
    const now: Painted = { bands, version: document.version, parts: new Map() };
    const set = (part: string, content: string, draw: () => void): void => {
      const old = before?.parts.get(part) ?? NOTHING;
      // What was set before an edit does not say where it is now, unless it was nothing.
      const known = before?.version === document.version || old === NOTHING;
      if (!known || old !== content) draw();
      now.parts.set(part, content);
    };
    const inText = bands.filter(({ start }) => start < document.lineCount);
    for (const [look, type] of this.decorations.bands) {
      const mine = inText.filter((band) => band.look === look);
      set(look, JSON.stringify(mine.map(({ start, end }) => [start, end])), () =>
        editor.setDecorations(type, mine.map((band) => linesOf(band, document))),
      );
    }
    const first = inText.filter((band) => band.first);
    set("label", JSON.stringify(first.map((band) => [band.start, label(band), legend(band)])), () =>
      editor.setDecorations(this.decorations.label, first.map((band) => labelled(band, document))),
    );
    this.painted.set(editor, now);
  }
}

function linesOf({ start, end }: Band, document: TextDocument): Range {
  return document.validateRange(new Range(start, 0, end, Number.MAX_SAFE_INTEGER));
}

/** The hover is at the end of the line alone: on the line's text it would stand beside the server's. */
function labelled(band: Band, document: TextDocument): DecorationOptions {
  const { end } = document.lineAt(band.start).range;
  const hoverMessage = new MarkdownString(legend(band));
  hoverMessage.isTrusted = { enabledCommands: [OPEN_VIEW] };
  return { range: new Range(end, end), hoverMessage, renderOptions: { after: { contentText: label(band) } } };
}
