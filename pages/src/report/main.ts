import { type Decoder, Malformed, pageData } from "../common/data";
import { el } from "../common/dom";
import { App } from "./app";
import type { Data } from "./data";

/** The data is written by the program that has this page: what is to be told is one of another version. */
const ofThisVersion: Decoder<Data> = (value, path) => {
  if (typeof value !== "object" || value === null || !("version" in value)) throw new Malformed(`${path}: no report`);
  if (value.version !== 1) throw new Malformed("the report is of another version than the page");
  return value as Data;
};

const root = document.getElementById("app");
if (root !== null) {
  try {
    new App(root, pageData(ofThisVersion));
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    root.replaceChildren(el("p", { class: "note empty", text: `This page cannot be shown: ${error.message}.`, attributes: { role: "alert" } }));
  }
}
