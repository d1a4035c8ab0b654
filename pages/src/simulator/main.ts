import { Malformed, pageData } from "../common/data";
import { el } from "../common/dom";
import { App } from "./app";
import { pageShape } from "./shapes";

const root = document.getElementById("app");
if (root !== null) {
  try {
    const data = pageData(pageShape);
    if (data.survey === null) throw new Malformed("nothing is known of the program: it has no survey");
    new App(root, data, data.survey);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    root.replaceChildren(el("p", { class: "note empty", text: `This page cannot be shown: ${error.message}.`, attributes: { role: "alert" } }));
  }
}
