/** Elements, made by code alone: data gets into a page as text and never as markup. Shared with the extension's view. */

export { button, type Child, el, keepingPlace, type Made, svg } from "@view/page/dom";
