/** Checks what arrives from the other side: a decoder returns the value with its type, or throws. */

export class Malformed extends Error {}

export type Decoder<T> = (value: unknown, path: string) => T;

function wrong(path: string, wanted: string): never {
  throw new Malformed(`${path || "value"}: expected ${wanted}`);
}

export const text: Decoder<string> = (value, path) => (typeof value === "string" ? value : wrong(path, "a string"));

export const number: Decoder<number> = (value, path) =>
  typeof value === "number" && Number.isFinite(value) ? value : wrong(path, "a number");

export const flag: Decoder<boolean> = (value, path) => (typeof value === "boolean" ? value : wrong(path, "a boolean"));

export function oneOf<const T extends string | number>(...choices: readonly T[]): Decoder<T> {
  return (value, path) => choices.find((choice) => choice === value) ?? wrong(path, choices.join(" or "));
}

export function nullable<T>(decoder: Decoder<T>): Decoder<T | null> {
  return (value, path) => (value === null || value === undefined ? null : decoder(value, path));
}

/** Null where it is not there, or has another form: what other releases of the server say costs only its own part. */
export function optional<T>(decoder: Decoder<T>): Decoder<T | null> {
  return (value) => (value === null || value === undefined ? null : decoded(decoder, value));
}

export function list<T>(decoder: Decoder<T>): Decoder<T[]> {
  return (value, path) =>
    Array.isArray(value) ? value.map((one, index) => decoder(one, `${path}[${index}]`)) : wrong(path, "a list");
}

/** Keys that are not named are dropped. */
export function object<T>(fields: { [K in keyof T]: Decoder<T[K]> }): Decoder<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong(path, "an object");
    const given = value as Record<string, unknown>;
    const taken: Partial<T> = {};
    for (const name of names) taken[name] = fields[name](Object.hasOwn(given, name) ? given[name] : undefined, `${path}.${name}`);
    return taken as T;
  };
}

/** The value, or null where it is not what the decoder wants. */
export function decoded<T>(decoder: Decoder<T>, value: unknown): T | null {
  try {
    return decoder(value, "");
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}
