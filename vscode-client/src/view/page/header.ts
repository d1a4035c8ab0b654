/** What stands over the tabs: which function, how it was probed, and what is to be said about that. */

import type { CaptureView, Entry } from "../../protocol";
import { button, el } from "./dom";

export interface Probing {
  readonly probing: boolean;
  /** What the server does just now. */
  readonly message: string;
  readonly probe: (entry: string | null) => void;
}

const STATUS: Record<Exclude<Entry["status"], "ok">, string> = {
  failed: "The probe failed",
  timeout: "The probe was stopped: it took too long",
  killed: "The probe's process ended",
};

export function header(view: CaptureView, entry: Entry, probing: Probing): HTMLElement {
  const environment = [
    view.torch === "" ? "" : `torch ${view.torch}`,
    view.device,
    `probed ${new Date(entry.probed * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`,
  ];
  return el(
    "header",
    {},
    el("h2", { text: entry.name, title: entry.name }),
    el("p", { class: "figures", text: entry.figures }),
    el("p", { class: "environment", text: environment.filter(Boolean).join(" · ") }),
    entry.inputs.length === 0
      ? null
      : el("p", { class: "inputs", title: entry.inputs.join("\n") }, "called with ", el("code", { text: entry.inputs.join("  then  ") })),
    entry.status === "ok" ? null : banner("bad", `${STATUS[entry.status]}${entry.message === "" ? "." : `: ${entry.message}`}`, entry.name, probing),
    entry.stale ? banner("poor", "What was probed has changed since; this is what was seen before.", entry.name, probing) : null,
  );
}

function banner(tone: "poor" | "bad", text: string, entry: string, probing: Probing): HTMLElement {
  return el("div", { class: `banner ${tone}`, attributes: { role: "status" } }, el("span", { text }), probeButton("Probe again", entry, probing));
}

function probeButton(title: string, entry: string | null, { probing, message, probe }: Probing): HTMLButtonElement {
  return button(probing ? "Probing…" : title, () => probe(entry), {
    class: "primary",
    key: "probe",
    title: message,
    attributes: probing ? { disabled: true } : {},
  });
}

/** In place of everything else, while nothing was probed. */
export function empty(entry: string | null, probing: Probing): HTMLElement {
  const what = entry ?? "this file";
  return el(
    "div",
    { class: "empty", attributes: { role: "status" } },
    el("h2", { text: "Not probed yet" }),
    el("p", {
      text: `A probe runs ${what} under the real compilers and shows its graphs, breaks and guards here.`,
    }),
    probeButton(entry === null ? "Probe" : `Probe ${entry}`, entry, probing),
    entry === null || probing.probing
      ? null
      : button("Probe all of the file", () => probing.probe(null), { class: "link", key: "probe-all" }),
    probing.probing && probing.message !== "" ? el("p", { class: "note", text: probing.message }) : null,
  );
}

export function without(text: string): HTMLElement {
  return el("div", { class: "empty", attributes: { role: "status" } }, el("p", { text }));
}
