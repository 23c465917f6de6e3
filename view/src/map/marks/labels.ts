/** Names of classes on the map. */

import { medianPoint, type Point } from "../../geometry/plane";
import { distinctNames } from "../../scene/names";
import type { Codes, Tensor } from "../../scene/scene";
import type { Size } from "../camera";
import { around, besideMarks, type Rectangle } from "./label_places";
import type { PrototypeMark } from "./prototype_marks";

/** The number of points of a class that are used to find the place of its name. */
const ENOUGH = 2000;
const LONGEST = 18;
const LINE = 14;
/** Width of the edge of prototypes, in pixels. */
const EDGE = 2;

/** A class name and its preferred place on the map. */
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
 * The densest place of each class that has points, the largest class first, because names
 * of large classes have precedence. Empty if all points have one class.
 */
export function anchors(
  positions: Float32Array,
  classes: Tensor<Codes>,
  names: readonly string[],
): Anchor[] {
  const rows = classRows(classes, names.length);
  return named(rows, names).map(({ index, text }) => ({
    index,
    text,
    place: densestPlace(positions, Uint32Array.from(rows[index])),
  }));
}

/** Points of each class; a sample of large classes. */
export function classRows({ data }: Tensor<Codes>, n: number): number[][] {
  const rows = Array.from({ length: n }, () => [] as number[]);
  const seen = new Uint32Array(n);
  const step = Math.max(1, Math.floor(data.length / (ENOUGH * n)));
  for (let i = 0; i < data.length; i++) {
    const own = data[i];
    // Sampled within each class, because rows may have a periodic order.
    if (own < n && seen[own]++ % step === 0) {
      rows[own].push(i);
    }
  }
  return rows;
}

/** The classes that have points, the largest first; none if there is only one class. */
export function named(
  rows: readonly (readonly number[])[],
  names: readonly string[],
): { index: number; text: string }[] {
  if (names.length < 2) {
    return [];
  }
  const short = distinctNames(names, LONGEST);
  return Array.from(names.keys())
    .filter((index) => rows[index].length > 0)
    .sort((a, b) => rows[b].length - rows[a].length)
    .map((index) => ({ index, text: short[index] }));
}

/** Labels that fit: each is moved up or down a little, and left out if no place is free. */
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

/** Place each name beside the prototype of its class that is nearest to its preferred place. */
export function besidePrototypes(
  wanted: readonly { index: number; text: string; at: Point }[],
  prototypes: readonly PrototypeMark[],
  widthOf: (text: string) => number,
  { width, height }: Size,
): Label[] {
  const named = wanted.map(({ index, text, at }) => {
    const mark = nearest(
      prototypes.filter(({ own }) => own === index),
      at,
    );
    const [x, y] = mark?.at ?? at;
    const radius = mark ? mark.radius + EDGE : 0;
    return { x, y, radius, width: widthOf(text) };
  });
  const others = prototypes.map(({ at: [x, y], radius }) => ({
    x,
    y,
    radius,
    width: 0,
  }));
  const places = besideMarks([...named, ...others], width, height);
  return wanted.flatMap(({ index, text }, k) => {
    const place = places[k];
    if (place === null) {
      return [];
    }
    const shift = { start: 0.5, middle: 0, end: -0.5 }[place.anchor] * named[k].width;
    return [{ index, text, x: place.x + shift, y: place.y }];
  });
}

function nearest(marks: readonly PrototypeMark[], [x, y]: Point): PrototypeMark | null {
  const far = ({ at }: PrototypeMark) => Math.hypot(at[0] - x, at[1] - y);
  return marks.reduce<PrototypeMark | null>(
    (best, mark) => (best === null || far(mark) < far(best) ? mark : best),
    null,
  );
}

/** The room that a name occupies around its middle. */
export function labelRoom(x: number, y: number, width: number): Rectangle {
  return around(x - width / 2, y, width, LINE);
}

// The densest place of a group of points.

/** For fewer points, the median is used. */
const FEW = 20;
/** The number of points that are compared with each other. */
const SOME = 300;
/** The radius of a neighborhood, in interquartile ranges. */
const NEAR = 0.25;

/** The mean of the points around the point that has the most neighbors. */
export function densestPlace(positions: ArrayLike<number>, rows: Uint32Array): Point {
  const middle = medianPoint(positions, rows);
  const step = Math.ceil(rows.length / SOME);
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

/** The interquartile range of one coordinate. */
function rangeOf(
  positions: ArrayLike<number>,
  rows: Uint32Array,
  axis: number,
): number {
  const values = Float32Array.from(rows, (row) => positions[2 * row + axis]).sort();
  return values[(3 * values.length) >> 2] - values[values.length >> 2];
}
