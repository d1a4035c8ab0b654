/** What the extension host and the page tell each other. */

import type { CaptureView, Range } from "../protocol";
import { type Decoder, decoded, flag, Malformed, nullable, number, object, oneOf, text } from "./decode";
import { captureView, range } from "./shapes";

export const PARTS = ["graph", "guards", "frontends", "paths", "code", "times"] as const;
export type Part = (typeof PARTS)[number];

/** What the command may ask to see: a tab, or the tree. */
export const WANTED = [...PARTS, "tree"] as const;
export type Wanted = (typeof WANTED)[number];

export type ToPage =
  /** The file has this view now; null while there is no server. */
  | { type: "view"; uri: string; view: CaptureView | null }
  | { type: "show"; entry: string | null; part: Wanted | null }
  /** The cursor stands on this line of this file. */
  | { type: "cursor"; uri: string; line: number }
  | { type: "server"; probing: boolean; message: string };

export type ToHost =
  | { type: "ready" }
  /** `focus`: the editor gets the keyboard too. */
  | { type: "reveal"; uri: string; range: Range; focus: boolean }
  /** null: all of the file. */
  | { type: "probe"; entry: string | null }
  /** Under every frontend. */
  | { type: "compare"; entry: string }
  /** With times and kernels. */
  | { type: "measure"; entry: string }
  | { type: "kernel"; entry: string; index: number };

type Decoders<M extends { type: string }> = { [T in M["type"]]: Decoder<Extract<M, { type: T }>> };

const TO_PAGE: Decoders<ToPage> = {
  view: object<Extract<ToPage, { type: "view" }>>({ type: oneOf("view"), uri: text, view: nullable(captureView) }),
  show: object<Extract<ToPage, { type: "show" }>>({
    type: oneOf("show"),
    entry: nullable(text),
    part: nullable(oneOf(...WANTED)),
  }),
  cursor: object<Extract<ToPage, { type: "cursor" }>>({ type: oneOf("cursor"), uri: text, line: number }),
  server: object<Extract<ToPage, { type: "server" }>>({ type: oneOf("server"), probing: flag, message: text }),
};

const TO_HOST: Decoders<ToHost> = {
  ready: object<Extract<ToHost, { type: "ready" }>>({ type: oneOf("ready") }),
  reveal: object<Extract<ToHost, { type: "reveal" }>>({ type: oneOf("reveal"), uri: text, range, focus: flag }),
  probe: object<Extract<ToHost, { type: "probe" }>>({ type: oneOf("probe"), entry: nullable(text) }),
  compare: object<Extract<ToHost, { type: "compare" }>>({ type: oneOf("compare"), entry: text }),
  measure: object<Extract<ToHost, { type: "measure" }>>({ type: oneOf("measure"), entry: text }),
  kernel: object<Extract<ToHost, { type: "kernel" }>>({ type: oneOf("kernel"), entry: text, index: number }),
};

function byType<M extends { type: string }>(decoders: Decoders<M>): Decoder<M> {
  return (value, path) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (typeof type !== "string" || !Object.hasOwn(decoders, type)) throw new Malformed(`${path}: unknown message`);
    return decoders[type as M["type"]](value, path);
  };
}

/** The message, or null if it is none of ours. */
export function toPage(value: unknown): ToPage | null {
  return decoded(byType<ToPage>(TO_PAGE), value);
}

export function toHost(value: unknown): ToHost | null {
  return decoded(byType<ToHost>(TO_HOST), value);
}
