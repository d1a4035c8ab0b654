import type { CaptureView, Entry, Graph, Kernel } from "../protocol";
import { kernelsOf } from "../view/shapes";
import { duration, scaled } from "./figures";

/** Code that PyTorch made of a probed function, to be read in the editor. */
export interface Generated {
  language: Language;
  text: string;
}

export type Language = "python" | "cpp" | "plaintext";

export type Kind = "kernel" | "graph";

/** Which piece of code: the file, its probed function, and the kernel's index or the graph's id. */
export interface Address {
  uri: string;
  entry: string;
  number: number;
}

/** Null if the newest probe made no such code. */
export function generated(kind: Kind, view: CaptureView, { entry: name, number }: Address): Generated | null {
  const entry = view.entries.find((one) => one.name === name);
  if (entry === undefined) return null;
  if (kind === "graph") {
    const graph = entry.frames.flatMap((frame) => frame.graphs).find(({ id }) => id === number);
    return graph === undefined ? null : written("python", graphHeader(graph, entry), graph.code);
  }
  const kernel = kernelsOf(entry)[number];
  return kernel === undefined ? null : written(languageOf(kernel), kernelHeader(kernel, entry), kernel.source);
}

/** What a document says whose code is no longer there. */
export function gone(kind: Kind, { entry, number }: Address): string {
  return `The newest probe of ${entry} made no ${kind} ${number}.`;
}

/** The name of the document; its suffix tells the editor the language from the start. */
export function title(kind: Kind, { entry, number }: Address, language: Language): string {
  return `${entry.replace(/[/\\]/g, "_")} ${kind} ${number}${SUFFIX[language]}`;
}

const SUFFIX: Record<Language, string> = { python: ".py", cpp: ".cpp", plaintext: ".txt" };

const COMMENT: Record<Language, string> = { python: "# ", cpp: "// ", plaintext: "" };

const LANGUAGES: Record<string, Language> = { triton: "python", cpp: "cpp" };

const NAMES: Record<string, string> = { triton: "Triton kernel", cpp: "C++ kernel", extern: "Library kernel" };

export function languageOf({ language }: Kernel): Language {
  return LANGUAGES[language] ?? "plaintext";
}

export function kernelHeader(kernel: Kernel, entry: Entry): string[] {
  const { launches, bytes, flops, predicted_us, measured_us, target, ptx, registers, spills, nodes } = kernel;
  const of = kernel.graph === null ? entry.name : `graph ${kernel.graph} of ${entry.name}${kernel.backward ? ", backward" : ""}`;
  return [
    `${NAMES[kernel.language] ?? "Kernel"} ${kernel.name} · ${of}`,
    kernel.lines && `from ${kernel.lines}`,
    nodes.length > 0 && `computes ${nodes.join(", ")}`,
    facts(
      `${launches} ${launches === 1 ? "launch" : "launches"}`,
      `${scaled(bytes, "B")} moved`,
      flops > 0 && scaled(flops, "FLOP"),
    ),
    facts(
      measured_us !== null && `measured ${duration(measured_us)}`,
      predicted_us !== null && `predicted ${duration(predicted_us)}`,
      measured_us === null && predicted_us === null ? false : `on ${target}`,
    ),
    facts(
      ptx !== null && (ptx ? `compiles for ${target}` : `does not compile for ${target}`),
      registers !== null && `${registers} registers`,
      spills !== null && spills > 0 && `${spills} spilled`,
    ),
    ...kernel.not_fused_because.map((one) => `not fused with ${one.with}: ${one.why}`),
    entry.stale && OLD,
  ].filter((line) => typeof line === "string" && line !== "") as string[];
}

export function graphHeader(graph: Graph, entry: Entry): string[] {
  return [
    `Graph ${graph.id} of ${entry.name} · ${graph.ops} ${graph.ops === 1 ? "op" : "ops"}`,
    ...(graph.lines ? [`from ${graph.lines}`] : []),
    ...(entry.stale ? [OLD] : []),
  ];
}

const OLD = "the code was edited since the probe";

function facts(...said: (string | false)[]): string {
  return said.filter((fact) => fact !== false).join(" · ");
}

/** A header of several lines, as some texts from PyTorch have, stays a comment. */
function written(language: Language, header: readonly string[], source: string): Generated {
  const lines = header.flatMap((part) => part.split(/\r?\n/));
  return { language, text: `${lines.map((line) => COMMENT[language] + line).join("\n")}\n\n${source.trim()}\n` };
}
