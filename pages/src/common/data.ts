/** The data that Python wrote into the page. */

import { type Decoder, Malformed } from "@view/decode";

export type { Decoder } from "@view/decode";
export { decoded, flag, list, Malformed, nullable, number, object, oneOf, optional, text } from "@view/decode";

/** Throws `Malformed` where the page has no data, or other data than the decoder wants. */
export function pageData<T>(decoder: Decoder<T>): T {
  const written = document.getElementById("data")?.textContent;
  if (!written) throw new Malformed("this page has no data");
  return decoder(JSON.parse(written) as unknown, "data");
}

/** Keys are names that are not known before. */
export function record<T>(decoder: Decoder<T>): Decoder<Record<string, T>> {
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Malformed(`${path}: expected an object`);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, decoder(one, `${path}.${key}`)]));
  };
}
