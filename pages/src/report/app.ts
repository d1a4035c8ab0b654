/** The report: its parts one below the other, and links into them. */

import { el } from "../common/dom";
import type { Data } from "./data";
import { targetOf } from "./model/address";
import { Texts } from "./model/texts";
import { entryList } from "./page/entries";
import { findingList } from "./page/findings";
import { header, ways } from "./page/header";
import { history } from "./page/history";
import { summary } from "./page/summary";

export class App {
  private readonly goTo: Record<"finding" | "entry", (id: string) => boolean>;

  constructor(root: HTMLElement, data: Data) {
    const texts = new Texts(data.sources);
    const findings = findingList(data, texts);
    const entries = entryList(data, texts);
    const past = history(data);
    this.goTo = { finding: findings.go, entry: entries.go };
    document.title = `${data.project}: capture report`;
    root.replaceChildren(
      el("a", { class: "skip-link", text: "Skip to the findings", attributes: { href: "#findings" } }),
      header(data),
      ways(data),
      el("main", {}, ...[summary(data), findings.element, entries.element, past].filter((one) => one !== null)),
    );
    addEventListener("hashchange", () => this.follow());
    // A link to where the page is already tells no change.
    root.addEventListener("click", (event) => {
      const link = (event.target as Element).closest("a");
      if (link?.getAttribute("href") === location.hash) this.follow();
    });
    this.follow();
  }

  private follow(): void {
    const target = targetOf(location.hash);
    if (target !== null) {
      this.goTo[target.kind](target.id);
      return;
    }
    // The parts did not stand in the page yet when the browser looked for them.
    if (location.hash.length > 1) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }
}
