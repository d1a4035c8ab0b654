/** A link to a line. */

import type { Place } from "../../protocol";
import { lineText } from "../model/places";
import { button, type Child } from "./dom";

export interface PlaceContext {
  /** The file that the view is of. */
  readonly uri: string;
  readonly onReveal: (at: Place, focus: boolean) => void;
}

/** Nothing where the place is gone. `key` names it among all of the page. */
export function placeLink(at: Place | null, { uri, onReveal }: PlaceContext, key: string): Child {
  if (at === null) return null;
  const line = lineText(at, uri);
  return button(typeof line === "number" ? `line ${line}` : line, () => onReveal(at, true), { class: "link", key });
}
