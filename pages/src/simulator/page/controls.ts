/** The controls of the call. Made once, so that a slider that is being moved stays where the hand is. */

import { button, el } from "../../common/dom";
import type { Combination, Controls, Decision } from "../../protocol";
import { givenCombination, wordsOf } from "../model/combination";
import { currentOf, MOST_CALLS, type State } from "../model/state";
import { waysOf } from "../model/ways";
import { icon } from "./icons";
import { type Choice, radios } from "./radios";

export interface ControlActions {
  readonly call: (combination: Combination) => void;
  readonly again: () => void;
  readonly capture: () => void;
  readonly startOver: () => void;
  readonly keep: (keep: boolean) => void;
  readonly onLine: (line: number) => void;
}

export interface ControlPanel {
  readonly element: HTMLElement;
  readonly show: (state: State) => void;
}

interface Control {
  readonly element: HTMLElement;
  readonly show: (combination: Combination) => void;
}

export function controlPanel(controls: Controls, actions: ControlActions): ControlPanel {
  let current = givenCombination(controls);
  const change = (part: Partial<Combination>): void => actions.call({ ...current, ...part });
  const all: Control[] = [
    ...controls.decisions.map((decision, index) => decisionControl(controls, decision, index, (inputs) => change({ inputs }), actions.onLine)),
    inputsControl(controls, (inputs) => change({ inputs })),
    ...controls.sizes.map((_, index) => sizeControl(controls, index, (choice) => change({ sizes: replaced(current.sizes, index, choice) }))),
    ...controls.numbers.map((_, index) => numberControl(controls, index, (choice) => change({ numbers: replaced(current.numbers, index, choice) }))),
    listControl("dtype", "dtype", controls.dtypes, ({ dtype }) => dtype, (dtype) => change({ dtype })),
    ...(controls.modes.length > 1 ? [listControl("mode", "mode", controls.modes, ({ mode }) => mode, (mode) => change({ mode }))] : []),
  ];
  const captured = el("span", { class: "words", attributes: { "data-part": "captured-with" } });
  const capture = button("Capture with this", actions.capture, {
    class: "button primary",
    title: "The choices shown become those of the captured call",
    attributes: { "data-control": "capture" },
  });
  const over = button("Start over", actions.startOver, { class: "button", title: "Everything as given", attributes: { "data-control": "start-over" } });
  const again = button("Call again", actions.again, {
    class: "button",
    title: "One more call with the same inputs",
    attributes: { "data-control": "again" },
  });
  const keep = el("input", { attributes: { type: "checkbox", "data-control": "keep" }, on: { change: () => actions.keep(keep.checked) } });
  const limit = el("p", { class: "note", text: `No more than ${MOST_CALLS} calls: start over, or capture with this.` });
  const element = el(
    "section",
    { class: "card controls", attributes: { "aria-label": "Inputs of the call", "data-part": "controls" } },
    el("div", { class: "controls-head" }, el("h2", { text: "Call it with" }), el("p", { class: "note" }, "captured with: ", captured)),
    el("div", { class: "control-list" }, ...all.map((control) => control.element)),
    el(
      "div",
      { class: "control-buttons" },
      capture,
      again,
      over,
      el("label", { class: "keep", title: "Each change calls the same captured object once more, instead of capturing anew" }, keep, " Keep calling"),
    ),
    limit,
  );
  return {
    element,
    show: (state) => {
      current = currentOf(state);
      const [first] = state.calls;
      captured.textContent = first === undefined ? "" : wordsOf(first, controls);
      keep.checked = state.keep;
      capture.disabled = state.calls.length === 1;
      again.disabled = state.calls.length >= MOST_CALLS;
      limit.hidden = !state.keep || state.calls.length < MOST_CALLS;
      for (const control of all) control.show(current);
    },
  };
}

function replaced(list: readonly number[], index: number, value: number): number[] {
  return list.map((one, at) => (at === index ? value : one));
}

function decisionControl(controls: Controls, decision: Decision, index: number, choose: (inputs: number) => void, onLine: (line: number) => void): Control {
  const legend = el(
    "span",
    { class: "decision-name" },
    icon("decision"),
    el("code", { text: shortTest(decision.text), title: decision.text }),
    button(`line ${decision.line}`, () => onLine(decision.line), { class: "link" }),
  );
  let inputsOf = new Map<string, number | null>();
  const group = radios(`decision-${index}`, legend, (way) => {
    const inputs = inputsOf.get(way);
    if (inputs !== null && inputs !== undefined) choose(inputs);
  }, { "data-control": "decision", "data-decision": String(index) });
  return {
    element: group.element,
    show: ({ inputs }) => {
      const ways = waysOf(controls, index, inputs);
      inputsOf = new Map(ways.map((way) => [way.way, way.inputs]));
      group.show(
        ways.map((way): Choice => ({
          value: way.way,
          text: way.way,
          data: { inputs: String(way.inputs ?? "") },
          ...(way.inputs === null ? { reason: "no tried input goes this way" } : {}),
        })),
        ways.find(({ chosen }) => chosen)?.way ?? null,
      );
    },
  };
}

function shortTest(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 48 ? `${line.slice(0, 47)}…` : line;
}

/** Values of the arguments by name. */
function inputsControl(controls: Controls, choose: (inputs: number) => void): Control {
  return selectControl("inputs", "values", controls.inputs.map(({ name }) => name), ({ inputs }) => inputs, choose);
}

function numberControl(controls: Controls, index: number, choose: (choice: number) => void): Control {
  const { name, values } = controls.numbers[index] ?? { name: "", values: [] };
  return listControl(`number-${index}`, name, values, ({ numbers }) => numbers[index] ?? 0, choose);
}

const FEW = 4;

function listControl(id: string, name: string, values: readonly string[], get: (combination: Combination) => number, choose: (choice: number) => void): Control {
  if (values.length > FEW) return selectControl(id, name, values, get, choose);
  const group = radios(id, name, (value) => choose(Number(value)), { "data-control": id });
  return {
    element: group.element,
    show: (combination) => group.show(values.map((text, index) => ({ value: String(index), text: withoutTorch(text) })), String(get(combination))),
  };
}

function withoutTorch(text: string): string {
  return text.replace(/^torch\./, "");
}

function selectControl(id: string, name: string, values: readonly string[], get: (combination: Combination) => number, choose: (choice: number) => void): Control {
  const select = el(
    "select",
    { attributes: { id: `control-${id}`, "data-control": id }, on: { change: () => choose(Number(select.value)) } },
    ...values.map((text, index) => el("option", { text, attributes: { value: index } })),
  );
  return {
    element: el("div", { class: "labelled" }, el("label", { text: name, attributes: { for: `control-${id}` } }), select),
    show: (combination) => {
      select.value = String(get(combination));
    },
  };
}

function sizeControl(controls: Controls, index: number, choose: (choice: number) => void): Control {
  const { name, given, values } = controls.sizes[index] ?? { name: "", given: 0, values: [] };
  const id = `control-size-${index}`;
  const output = el("output", { attributes: { for: id } });
  const say = (choice: number): void => {
    const value = values[choice] ?? given;
    output.textContent = value === given ? `${value} (given)` : String(value);
    slider.setAttribute("aria-valuetext", output.textContent);
  };
  const slider = el("input", {
    attributes: { id, type: "range", min: 0, max: Math.max(0, values.length - 1), step: 1, "data-control": "size", "data-size": name, list: `${id}-values` },
    on: { input: () => say(Number(slider.value)), change: () => choose(Number(slider.value)) },
  });
  const list = el("datalist", { attributes: { id: `${id}-values` } }, ...values.map((_, at) => el("option", { attributes: { value: at } })));
  return {
    element: el("div", { class: "labelled size" }, el("label", { class: "mono", text: name, attributes: { for: id } }), slider, output, list),
    show: ({ sizes }) => {
      const choice = sizes[index] ?? 0;
      slider.value = String(choice);
      slider.disabled = values.length < 2;
      say(choice);
    },
  };
}
