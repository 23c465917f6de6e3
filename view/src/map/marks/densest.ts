/** Where a cloud of points is densest. */

import { medianPoint, type Point } from "../geometry";

/** Of fewer points than this, the median is taken. */
const FEW = 20;
/** Points that are compared with each other. */
const ENOUGH = 300;
/** How near is near, in quartile ranges. */
const NEAR = 0.25;

/** The mean of the points around the one that has the most others near it. */
export function densestPlace(positions: ArrayLike<number>, rows: Uint32Array): Point {
  const middle = medianPoint(positions, rows);
  const step = Math.ceil(rows.length / ENOUGH);
  const some = rows.filter((_, k) => k % step === 0);
  const radius =
    NEAR * Math.max(rangeOf(positions, some, 0), rangeOf(positions, some, 1));
  if (rows.length < FEW || radius === 0) {
    return middle;
  }
  let best: Point = middle;
  let most = 0;
  for (const row of some) {
    const [x, y] = [positions[2 * row], positions[2 * row + 1]];
    let [n, sumX, sumY] = [0, 0, 0];
    for (const other of some) {
      const [dx, dy] = [positions[2 * other] - x, positions[2 * other + 1] - y];
      if (dx * dx + dy * dy < radius * radius) {
        n++;
        sumX += dx;
        sumY += dy;
      }
    }
    if (n > most) {
      most = n;
      best = [x + sumX / n, y + sumY / n];
    }
  }
  return best;
}

/** Between the quartiles of one coordinate. */
function rangeOf(
  positions: ArrayLike<number>,
  rows: Uint32Array,
  axis: number,
): number {
  const values = Float32Array.from(rows, (row) => positions[2 * row + axis]).sort();
  return values[(3 * values.length) >> 2] - values[values.length >> 2];
}
