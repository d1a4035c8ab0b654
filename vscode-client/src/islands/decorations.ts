import {
  DecorationRangeBehavior,
  OverviewRulerLane,
  ThemeColor,
  window,
  type DecorationRenderOptions,
  type TextEditorDecorationType,
} from "vscode";

import { COLOURS, type Look } from "./bands";

/** A decoration type for each look, and one for the text behind the first line of a band. */
export class Decorations {
  readonly bands: ReadonlyMap<Look, TextEditorDecorationType>;
  readonly label: TextEditorDecorationType;

  constructor() {
    this.bands = new Map(looks().map(([look, options]) => [look, window.createTextEditorDecorationType(options)]));
    this.label = window.createTextEditorDecorationType({
      rangeBehavior: DecorationRangeBehavior.ClosedClosed,
      after: { color: new ThemeColor("editorCodeLens.foreground"), margin: "0 0 0 2em" },
    });
  }

  dispose(): void {
    for (const type of [...this.bands.values(), this.label]) type.dispose();
  }
}

function looks(): [Look, DecorationRenderOptions][] {
  const graphs = Array.from({ length: COLOURS }, (_, nth) => `island${nth + 1}` as const);
  return [
    ...graphs.flatMap((name) => freshAndStale(name, "solid")),
    // Told apart by their forms too: to some eyes red and grey are near to colours of graphs.
    ...freshAndStale("eager", "dotted"),
    ...freshAndStale("skipped", "double"),
  ];
}

function freshAndStale(
  name: "eager" | "skipped" | `island${number}`,
  borderStyle: "solid" | "dotted" | "double",
): [Look, DecorationRenderOptions][] {
  const colour = new ThemeColor(`captureLsp.${name}`);
  // The bar is a border and not an icon in the gutter, which would hide breakpoints.
  const bar: DecorationRenderOptions = {
    isWholeLine: true,
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
    borderColor: colour,
    borderWidth: "0 0 0 3px",
    overviewRulerColor: colour,
    overviewRulerLane: OverviewRulerLane.Left,
  };
  return [
    [name, { ...bar, borderStyle, backgroundColor: new ThemeColor(`captureLsp.${name}Background`) }],
    [`${name}Stale`, { ...bar, borderStyle: "dashed", borderWidth: "0 0 0 2px" }],
  ];
}
