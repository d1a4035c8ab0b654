/** One choice of each control: the given one, equality, words. */

import type { Combination, Controls, Request } from "../../protocol";

/** Everything as the program's own inputs have it. */
export function givenCombination({ sizes, numbers }: Controls): Combination {
  return {
    inputs: 0,
    sizes: sizes.map(({ given, values }) => Math.max(0, values.indexOf(given))),
    numbers: numbers.map(({ given, values }) => Math.max(0, values.indexOf(given))),
    dtype: 0,
    mode: 0,
  };
}

/** `0-1.0--0-1`: the same text for the same choice. */
export function combinationKey({ inputs, sizes, numbers, dtype, mode }: Combination): string {
  return [inputs, sizes.join("."), numbers.join("."), dtype, mode].join("-");
}

export function requestKey({ frontend, calls }: Request): string {
  return `${frontend}:${calls.map(combinationKey).join("_")}`;
}

/** The choice that a key says; null where these controls do not have it. */
export function combinationFrom(key: string, controls: Controls): Combination | null {
  const parts = key.split("-");
  const [inputs, sizes, numbers, dtype, mode] = parts.map((part) => (part === "" ? [] : part.split(".").map(Number)));
  if (parts.length !== 5 || !inputs || !sizes || !numbers || !dtype || !mode) return null;
  const [one, two, three] = [inputs[0], dtype[0], mode[0]];
  if (one === undefined || two === undefined || three === undefined) return null;
  const found: Combination = { inputs: one, sizes, numbers, dtype: two, mode: three };
  return isAmong(found, controls) && combinationKey(found) === key ? found : null;
}

export function isAmong({ inputs, sizes, numbers, dtype, mode }: Combination, controls: Controls): boolean {
  return (
    inputs in controls.inputs &&
    dtype in controls.dtypes &&
    (mode in controls.modes || (mode === 0 && controls.modes.length === 0)) &&
    sizes.length === controls.sizes.length &&
    sizes.every((choice, index) => choice in (controls.sizes[index]?.values ?? [])) &&
    numbers.length === controls.numbers.length &&
    numbers.every((choice, index) => choice in (controls.numbers[index]?.values ?? []))
  );
}

/** In how many controls two choices differ. */
export function distance(one: Combination, other: Combination): number {
  const differing = (a: readonly number[], b: readonly number[]): number => a.filter((choice, index) => choice !== b[index]).length;
  return (
    Number(one.inputs !== other.inputs) +
    differing(one.sizes, other.sizes) +
    differing(one.numbers, other.numbers) +
    Number(one.dtype !== other.dtype) +
    Number(one.mode !== other.mode)
  );
}

/** `as given`, or what is otherwise: `x negated, x.shape[0] = 8`. */
export function wordsOf(combination: Combination, controls: Controls): string {
  const given = givenCombination(controls);
  const words: string[] = [];
  if (combination.inputs !== 0) words.push(controls.inputs[combination.inputs]?.name ?? "");
  combination.sizes.forEach((choice, index) => {
    const size = controls.sizes[index];
    if (size !== undefined && choice !== given.sizes[index]) words.push(`${size.name} = ${size.values[choice] ?? ""}`);
  });
  combination.numbers.forEach((choice, index) => {
    const number = controls.numbers[index];
    if (number !== undefined && choice !== given.numbers[index]) words.push(`${number.name} = ${number.values[choice] ?? ""}`);
  });
  if (combination.dtype !== 0) words.push(controls.dtypes[combination.dtype] ?? "");
  if (combination.mode !== 0) words.push(`${controls.modes[combination.mode] ?? ""} mode`);
  return words.join(", ") || "as given";
}
