import { code, commandLink, escaped } from "../markdown";
import type { Band, Shown } from "./bands";

/** The command that the legend links to. */
export const OPEN_VIEW = "capture-lsp.openView";

const LONGEST_LABEL = 60;

/** What stands behind the first line of a band. */
export function label({ shown: [{ island, stale }] }: Band): string {
  const text = island.label.replace(/\s+/g, " ");
  const short = text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text;
  return stale ? `${short} (old)` : short;
}

/** The hover of a band, in Markdown: which islands its lines belong to, and where there is more. */
export function legend({ shown }: Band): string {
  const stale = shown.some((one) => one.stale);
  return [
    ...shown.map(line),
    ...(stale ? ["The code was edited since the probe: dashed bands show the old result. Probe again to update them."] : []),
    ...views(shown),
  ].join("\n\n");
}

function line({ probed, island, stale }: Shown): string {
  const where = island.function === probed.name || island.function === "" ? "" : ` in ${code(island.function)}`;
  return `**${escaped(island.label)}**${where} · probe of ${code(probed.name)}${stale ? " (old)" : ""}`;
}

/** One link for each probe. */
function views(shown: readonly Shown[]): string[] {
  const probes = new Map(shown.map(({ probed }) => [JSON.stringify(probed), probed]));
  return [...probes.values()].map(({ uri, name }) => {
    const text = probes.size > 1 ? `Open the capture view of ${code(name)}` : "Open the capture view";
    return `[${text}](${commandLink(OPEN_VIEW, uri, name)})`;
  });
}
