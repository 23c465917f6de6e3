/** Class names written on the map, where colours alone no longer tell classes apart. */

import { COLORS } from "./colors";
import { medianPoint, type Point } from "./geometry";
import { toldApart } from "./names";
import type { Codes, Tensor } from "./scene";

/** Points of a class that are looked at to find its middle. */
const ENOUGH = 2000;
const LONGEST = 18;
const LINE = 14;

/** A class name and the place on the map that it belongs to. */
export interface Anchor {
  readonly index: number;
  readonly text: string;
  readonly place: Point;
}

/** A class name on the stage: x is its middle, y its base line. */
export interface Label {
  readonly index: number;
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/**
 * The middle of each class that has points, the largest class first: where names do not
 * all fit, it has its own. None where twelve colours are enough.
 */
export function anchors(
  positions: Float32Array,
  classes: Tensor<Codes>,
  names: readonly string[],
): Anchor[] {
  if (names.length <= COLORS.length) {
    return [];
  }
  const rows = names.map(() => [] as number[]);
  const step = Math.max(1, Math.floor(classes.data.length / (ENOUGH * names.length)));
  for (let i = 0; i < classes.data.length; i += step) {
    rows[classes.data[i]]?.push(i);
  }
  const short = toldApart(names, LONGEST);
  return Array.from(names.keys())
    .filter((index) => rows[index].length > 0)
    .sort((a, b) => rows[b].length - rows[a].length)
    .map((index) => ({
      index,
      text: short[index],
      place: medianPoint(positions, Uint32Array.from(rows[index])),
    }));
}

/** Labels that fit: each is moved up or down a little, and left out where that fails. */
export function placed(
  wanted: readonly { index: number; text: string; at: Point }[],
  widthOf: (text: string) => number,
  stageWidth: number,
): Label[] {
  const labels: (Label & { half: number })[] = [];
  for (const { index, text, at } of wanted) {
    const half = widthOf(text) / 2 + 3;
    const x = Math.max(Math.min(at[0], stageWidth - half), half);
    const tries = [0, -1, 1].map((k) => at[1] + k * LINE);
    const free = tries.find((y) =>
      labels.every(
        (other) =>
          Math.abs(other.x - x) > half + other.half || Math.abs(other.y - y) >= LINE,
      ),
    );
    if (free !== undefined) {
      labels.push({ index, text, x, y: free, half });
    }
  }
  return labels.map(({ index, text, x, y }) => ({ index, text, x, y }));
}
