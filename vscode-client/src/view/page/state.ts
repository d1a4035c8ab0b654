/** What the page remembers while it is hidden and when the window is opened anew. */

import { type Decoder, decoded, flag, list, nullable, number, object, oneOf, text } from "../decode";
import { type Part, PARTS } from "../messages";
import type { Order } from "../model/table";

export interface Camera {
  x: number;
  y: number;
  zoom: number;
}

export interface GraphState {
  /** Open groups; null: as they are at first. */
  open: string[] | null;
  camera: Camera | null;
  selected: string | null;
}

export interface TableState {
  filter: string;
  order: Order | null;
}

export interface PageState {
  uri: string;
  entry: string | null;
  /** The position among all graphs of the entry. */
  graph: number;
  /** The frame whose guards are shown; null for all. */
  frame: number | null;
  part: Part;
  /** Items of the tree that are open; null: as at first. */
  outline: string[] | null;
  /** The item of the tree that was chosen last. */
  item: string | null;
  parameters: boolean;
  graphs: Record<string, GraphState>;
  tables: Record<string, TableState>;
}

export const FRESH: PageState = {
  uri: "",
  entry: null,
  graph: 0,
  frame: null,
  part: "graph",
  outline: null,
  item: null,
  parameters: false,
  graphs: {},
  tables: {},
};

function record<T>(decoder: Decoder<T>): Decoder<Record<string, T>> {
  return (value, path) =>
    Object.fromEntries(Object.entries(value ?? {}).map(([key, one]) => [key, decoder(one, `${path}.${key}`)]));
}

const state = object<PageState>({
  uri: text,
  entry: nullable(text),
  graph: number,
  frame: nullable(number),
  part: oneOf(...PARTS),
  outline: nullable(list(text)),
  item: nullable(text),
  parameters: flag,
  graphs: record(
    object<GraphState>({
      open: nullable(list(text)),
      camera: nullable(object<Camera>({ x: number, y: number, zoom: number })),
      selected: nullable(text),
    }),
  ),
  tables: record(
    object<TableState>({ filter: text, order: nullable(object<Order>({ column: number, descending: flag })) }),
  ),
});

export function stateFrom(value: unknown): PageState {
  return decoded(state, value) ?? { ...FRESH, graphs: {}, tables: {} };
}
