/** Points in the order of what is known of them. */

type Key = (point: number) => number | string;

/** How rows are sorted: by which of the columns, and whether from high to low. */
export interface Sorting {
  readonly column: number;
  readonly down: boolean;
}

/** All points from low to high; those without a value come last. */
export interface Order {
  readonly points: Uint32Array;
  /** How many of them have a value. */
  readonly known: number;
}

/** Sort n points by numbers, or by words in any case; equal ones stay as they were. */
export function orderBy(n: number, key: Key): Order {
  const keys = Array.from({ length: n }, (_, i) => comparableKey(key(i)));
  const present: number[] = [];
  const missing: number[] = [];
  keys.forEach((one, i) => {
    (one === "" || Number.isNaN(one) ? missing : present).push(i);
  });
  const points = new Uint32Array(n);
  points.set(sorted(present, keys));
  points.set(missing, present.length);
  return { points, known: present.length };
}

/** The points from high to low; those without a value stay last. */
export function reversed({ points, known }: Order): Uint32Array {
  const down = points.slice();
  down.subarray(0, known).reverse();
  return down;
}

/** Points in their order, without those that are not marked. */
export function marked(points: Uint32Array, marks: Uint8Array): Uint32Array {
  return points.filter((point) => marks[point] === 1);
}

/** Words in any case; those that are a number count as one. */
function comparableKey(key: number | string): number | string {
  return typeof key === "string" ? key.trim().toLowerCase() : key;
}

function sorted(present: readonly number[], keys: readonly (number | string)[]) {
  const numbers = Float64Array.from(present, (i) => Number(keys[i]));
  const isNumeric = numbers.every((value) => !Number.isNaN(value));
  const at = Uint32Array.from(present.keys());
  const words = present.map((i) => keys[i]);
  at.sort(
    isNumeric
      ? (a, b) => numbers[a] - numbers[b] || a - b
      : (a, b) => (words[a] < words[b] ? -1 : words[a] > words[b] ? 1 : a - b),
  );
  return at.map((k) => present[k]);
}
