/** What a node of an FX graph is, and what is written in it. */

import type { Node } from "../../protocol";

export type Kind = "input" | "parameter" | "function" | "method" | "module" | "subgraph" | "output" | "group";

/** In the order of the legend. */
export const KIND_WORDS: Record<Kind, string> = {
  input: "input",
  parameter: "parameter or buffer",
  function: "function",
  method: "method",
  module: "module call",
  subgraph: "graph of a branch or loop",
  output: "output",
  group: "folded nodes",
};

const OF_OP: Record<string, Kind> = {
  placeholder: "input",
  get_attr: "parameter",
  call_function: "function",
  call_method: "method",
  call_module: "module",
  output: "output",
};

/** How Dynamo names the placeholders of what a module owns. */
const OWNED = /_(?:parameters|buffers)_/;

/** How Dynamo and torch.export name the graphs that control flow chooses from: no parameters, though read as these. */
const SUBGRAPH = /^(?:cond_(?:true|false)|(?:true|false)_graph|(?:cond|body)_fn|while_loop_(?:cond|body)_graph|scan_combine_(?:fn|graph))_\d+$/;

export function kindOf(node: Node): Kind {
  if (node.op === "placeholder" && OWNED.test(node.target)) return "parameter";
  if (node.op === "get_attr" && SUBGRAPH.test(node.target)) return "subgraph";
  return OF_OP[node.op] ?? "function";
}

const LONGEST = 30;

export function shortened(text: string, most = LONGEST): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** `linear` for `torch._C._nn.linear`; for what a module owns, the part that tells it from the others: its end. */
export function labelOf(node: Node): string {
  if (node.op === "placeholder" || node.op === "get_attr") {
    const name = node.target.replace(/^[Ll]_/, "").replace(/_+$/, "").replace(/_(?:modules|parameters|buffers)_/g, ".");
    return name.length > LONGEST ? `…${name.slice(1 - LONGEST)}` : name;
  }
  if (node.op === "call_function") return shortened(node.target.slice(node.target.lastIndexOf(".") + 1) || node.target);
  return shortened(node.target);
}

/** `float32[8, 16]`; empty where nothing is known. */
export function typeOf(node: Node): string {
  if (node.shape === null) return node.dtype ?? "";
  return `${node.dtype ?? ""}[${node.shape.join(", ")}]`;
}
