import type { Entry } from "../protocol";

/** A kernel that a graph was compiled to; null is what was not found out. */
export interface Kernel {
  graph: number | null;
  name: string;
  /** `triton`, `cpp`, … */
  language: string;
  source: string;
  /** `model.py:12-18,20` */
  lines: string;
  launches: number | null;
  bytes: number | null;
  flops: number | null;
  not_fused_because: string;
  predicted_us: number | null;
  measured_us: number | null;
}

/** The kernels of a probe; what a report lacks is empty or null. */
export function kernelsOf(entry: Entry): Kernel[] {
  return (entry.kernels ?? []).map((raw) => {
    const given = raw as Partial<Record<keyof Kernel, unknown>>;
    return {
      graph: number(given.graph),
      name: text(given.name),
      language: text(given.language).toLowerCase(),
      source: text(given.source),
      lines: lines(given.lines),
      launches: number(given.launches),
      bytes: number(given.bytes),
      flops: number(given.flops),
      not_fused_because: text(given.not_fused_because),
      predicted_us: number(given.predicted_us),
      measured_us: number(given.measured_us),
    };
  });
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Also several places, and lines by file as a report has them. */
function lines(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(text).filter(Boolean).join(", ");
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([path, which]) => `${path}:${text(which)}`)
    .join(", ");
}
