/** Some of many rows, when all would take too long. */

/** Multiples of the golden ratio fall evenly between 0 and 1, and in no rhythm. */
const GOLDEN = 0.6180339887498949;

/**
 * Indices of all of n rows, or of so many among more: rows may come in a pattern, and
 * every second one would be of some classes only.
 */
export function sampled(n: number, most: number): Uint32Array {
  return Uint32Array.from({ length: Math.min(n, most) }, (_, k) =>
    n <= most ? k : Math.floor(((k * GOLDEN) % 1) * n),
  );
}
