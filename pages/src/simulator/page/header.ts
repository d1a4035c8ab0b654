/** What is simulated, the other programs, and the theme. */

import { el } from "../../common/dom";
import { prose } from "../../common/prose";
import { themeSwitch } from "../../common/theme";
import type { PageData, Survey } from "../../protocol";

export function header(data: PageData, survey: Survey): HTMLElement {
  return el(
    "header",
    { class: "top" },
    el("h1", { text: data.title || survey.entry }),
    el("div", { class: "top-tools" }, gallery(data), themeSwitch()),
    el(
      "p",
      { class: "subject" },
      el("code", { class: "entry", text: survey.entry, attributes: { "data-entry": survey.entry } }),
      el("span", { class: "note", text: " called with " }),
      el("code", { class: "given", text: survey.inputs_text, title: survey.inputs_text }),
      data.made_up ? el("span", { class: "note", text: " made up: give yours with --inputs" }) : null,
    ),
    teaching(data.teaching),
  );
}

function gallery({ gallery: programs, live }: PageData): HTMLElement | null {
  if (programs.length === 0) return null;
  const here = new URLSearchParams(location.search).get("program") ?? programs[0]?.name;
  const choose = (name: string): void => {
    const search = new URLSearchParams(location.search);
    search.set("program", name);
    // Without a server, the programs of a gallery are files beside each other.
    location.assign(live ? `?${search.toString()}` : `${encodeURIComponent(name)}.html`);
  };
  const select = el(
    "select",
    { attributes: { id: "program", "data-control": "program" }, on: { change: () => choose(select.value) } },
    ...programs.map(({ name, title }) =>
      el("option", { text: title, attributes: { value: name, ...(name === here ? { selected: true } : {}) } }),
    ),
  );
  return el("nav", { class: "gallery", attributes: { "aria-label": "Programs" } }, el("label", { text: "Program", attributes: { for: "program" } }), select);
}

function teaching(text: string): HTMLElement | null {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "");
  if (paragraphs.length === 0) return null;
  return el(
    "details",
    { class: "teaching", attributes: { open: true, "data-part": "teaching" } },
    el("summary", { text: "What to look for" }),
    ...paragraphs.map((paragraph) => el("p", {}, ...prose(paragraph.trim()))),
  );
}
