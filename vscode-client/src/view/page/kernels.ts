/** The table of kernels; a name opens the kernel's source. */

import type { Kernel } from "../../protocol";
import { compiledOf, magnitude, notFused, timeOf } from "../model/timing";
import { button, el } from "./dom";
import type { TableState } from "./state";
import { table } from "./table";

export interface KernelOptions {
  readonly table: TableState;
  readonly onTable: (state: TableState) => void;
  /** By the position in the report. */
  readonly onKernel: (index: number) => void;
}

interface Row {
  readonly kernel: Kernel;
  readonly index: number;
}

const LANGUAGES: Record<string, string> = { triton: "Triton", cpp: "C++", extern: "library" };

export function kernelTable(kernels: readonly Kernel[], options: KernelOptions): HTMLElement {
  const figures = (title: string, of: (kernel: Kernel) => number | null, show: (value: number) => string) => ({
    title,
    class: "figure whole",
    value: ({ kernel }: Row) => of(kernel) ?? -1,
    cell: ({ kernel }: Row) => {
      const value = of(kernel);
      return value === null ? "" : show(value);
    },
  });
  const text = (title: string, of: (kernel: Kernel) => string, kind = "whole") => ({
    title,
    class: kind,
    value: ({ kernel }: Row) => of(kernel),
  });
  const targets = [...new Set(kernels.map(({ target }) => target))].filter(Boolean).join(", ");
  return el(
    "section",
    {},
    el("h3", { text: targets === "" ? "Kernels" : `Kernels for ${targets}` }),
    table<Row>({
      name: "kernels",
      label: "kernels",
      filter: kernels.length > 8,
      rows: kernels.map((kernel, index) => ({ kernel, index })),
      state: options.table,
      onState: options.onTable,
      onReveal: () => undefined,
      onLine: () => false,
      columns: [
        {
          title: "Kernel",
          class: "code whole",
          value: ({ kernel }) => kernel.name,
          cell: ({ kernel, index }) =>
            kernel.source === ""
              ? kernel.name
              : button(kernel.name, () => options.onKernel(index), {
                  class: "link",
                  key: `kernel:${index}`,
                  title: kernel.nodes.length === 0 ? "Open its source" : `Open its source. It computes ${kernel.nodes.join(", ")}`,
                }),
        },
        figures("Graph", ({ graph }) => graph, String),
        text("Pass", ({ backward }) => (backward ? "backward" : "")),
        text("Language", ({ language }) => LANGUAGES[language] ?? language),
        text("Lines", ({ lines }) => lines, "code whole"),
        figures("Launches", ({ launches }) => launches, String),
        figures("Eager launches", ({ eager_launches }) => eager_launches, String),
        figures("Bytes", ({ bytes }) => bytes, (value) => magnitude(value).trim()),
        figures("FLOP", ({ flops }) => flops, (value) => magnitude(value).trim()),
        { ...text("Time", timeOf), value: ({ kernel }) => kernel.measured_us ?? kernel.predicted_us ?? -1, cell: ({ kernel }) => timeOf(kernel) },
        text("Compiled", compiledOf),
        text("Not fused", notFused, "wide"),
      ],
    }),
  );
}
