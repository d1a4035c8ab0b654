const STEPS = ["", "k", "M", "G", "T", "P"];

/** `1.5 MB`, `320 FLOP`: three digits are enough to compare. */
export function scaled(value: number, unit: string): string {
  let step = 0;
  let rest = value;
  // 999.5 would be written as 1000.
  while (rest >= 999.5 && step < STEPS.length - 1) {
    rest /= 1000;
    step += 1;
  }
  return `${digits(rest)} ${STEPS[step] ?? ""}${unit}`;
}

/** A time given in microseconds. */
export function duration(microseconds: number): string {
  return microseconds >= 999.5 ? `${digits(microseconds / 1000)} ms` : `${digits(microseconds)} µs`;
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
