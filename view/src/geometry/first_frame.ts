/** The part of a map that is shown first: its middle, if a few points are far away. */

import { type Box, bounds, sampled } from "./plane";

/** The least share of the points in the first frame. */
export const MIDDLE = 0.98;
/** Points up to this many times as far away as these also belong to the middle. */
export const FENCE = 1.5;
/** If all points fit into a frame that is this many times larger, all points are shown. */
const ROOMY = 1.5;
/** The number of points that are used to find the middle. */
export const ENOUGH = 20_000;

export interface FirstFrame {
  /** The part that is shown first. */
  readonly frame: Box;
  /** The box around all points. */
  readonly whole: Box;
  /** The number of points outside the frame. */
  readonly nOutside: number;
}

/**
 * The first frame of points given as x0, y0, x1, y1, …; it includes all `marked` places.
 *
 * The distance of a point is measured from the medians, in interquartile ranges of each
 * direction. The frame ends at the last point within 1.5 times the distance that contains
 * 98% of the points. If all points fit into 1.5 times this frame, it is the box around all.
 */
export function firstFrame(
  positions: ArrayLike<number>,
  marked: ArrayLike<number> = [],
): FirstFrame {
  const whole = bounds(positions, marked);
  const all = { frame: whole, whole, nOutside: 0 };
  const rows = sampled(Math.floor(positions.length / 2), ENOUGH);
  const [x, y] = [0, 1].map((axis) => spreadOf(positions, axis, rows));
  if (!x || !y) {
    return all;
  }
  const farness = (i: number) =>
    Math.max(
      Math.abs(positions[i] - x.middle) / x.range,
      Math.abs(positions[i + 1] - y.middle) / y.range,
    );
  const limit = FENCE * quantile(valuesOf(rows, farness), MIDDLE);
  const { box, nOutside } = within(positions, (i) => farness(i) <= limit);
  const frame = bounds([box.x0, box.y0, box.x1, box.y1], marked);
  return nOutside === 0 || fits(whole, frame) ? all : { frame, whole, nOutside };
}

/** Median and interquartile range of a coordinate; null without numbers. */
function spreadOf(positions: ArrayLike<number>, axis: number, rows: Uint32Array) {
  const values = valuesOf(rows, (i) => positions[i + axis]);
  if (values.length === 0) {
    return null;
  }
  const most = values[values.length - 1] - values[0];
  // If half of the points are at one place, the range comes from the other points.
  const range = quantile(values, 0.75) - quantile(values, 0.25) || most || 1;
  return { middle: quantile(values, 0.5), range };
}

/** One coordinate of some points, ascending, without missing values. */
function valuesOf(rows: Uint32Array, read: (i: number) => number): Float64Array {
  return Float64Array.from(rows, (row) => read(2 * row))
    .filter(Number.isFinite)
    .sort();
}

/** A quantile of sorted numbers. */
export function quantile(
  ascending: Float32Array | Float64Array,
  share: number,
): number {
  return ascending[Math.max(Math.ceil(share * ascending.length) - 1, 0)];
}

/** The box around the points inside a frame, and the number of points outside. */
function within(
  positions: ArrayLike<number>,
  isInside: (i: number) => boolean,
): { box: Box; nOutside: number } {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  let nOutside = 0;
  for (let i = 0; i + 1 < positions.length; i += 2) {
    if (isInside(i)) {
      x0 = Math.min(x0, positions[i]);
      x1 = Math.max(x1, positions[i]);
      y0 = Math.min(y0, positions[i + 1]);
      y1 = Math.max(y1, positions[i + 1]);
    } else if (Number.isFinite(positions[i] + positions[i + 1])) {
      nOutside++;
    }
  }
  return { box: { x0, y0, x1, y1 }, nOutside };
}

/** Whether a box is hardly larger than another box, along its longer side. */
function fits(whole: Box, frame: Box): boolean {
  const side = ({ x0, y0, x1, y1 }: Box) => Math.max(x1 - x0, y1 - y0);
  return side(whole) <= ROOMY * side(frame);
}
