/** Names at the ends of arrows, none over another. */

import type { Size } from "./camera";
import type { Point } from "./geometry";
import { around, overlap, type Place, type Rectangle } from "./label_places";

export type ArrowName = Place;

interface NamedArrow {
  /** The last piece of the arrow, in pixels. */
  readonly from: Point;
  readonly to: Point;
  /** Width of the name. */
  readonly width: number;
}

const LINE = 15;
const GAP = 6;
/** Steeper arrows have their name above or below. */
const STEEP = 0.35;
/** Where a name is tried, in lines up or down. */
const SHIFTS = [0, -1, 1];

/**
 * A place for each name beyond the end of its arrow, the first ones served first, and
 * off what is taken. Null where there is none, or where the arrow ends off the stage.
 */
export function arrowNames(
  arrows: readonly NamedArrow[],
  { width, height }: Size,
  taken: readonly Rectangle[] = [],
): (ArrowName | null)[] {
  const rooms = [...taken];
  return arrows.map((arrow) => {
    for (const [place, room] of candidates(arrow)) {
      const isInside =
        room.left >= 0 && room.top >= 0 && room.right <= width && room.bottom <= height;
      if (isInside && !rooms.some((other) => overlap(room, other))) {
        rooms.push(room);
        return place;
      }
    }
    return null;
  });
}

function candidates({ from, to, width }: NamedArrow): [ArrowName, Rectangle][] {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const isSteep = Math.abs(ux) < STEEP;
  const anchor = isSteep ? "middle" : ux > 0 ? "start" : "end";
  const x = to[0] + (isSteep ? 0 : GAP * Math.sign(ux));
  const y = to[1] + (isSteep ? (GAP + LINE / 2) * Math.sign(uy) : GAP * uy);
  const left = x - { start: 0, middle: 0.5, end: 1 }[anchor] * width;
  return SHIFTS.map((lines) => {
    const at = y + lines * LINE;
    return [{ x, y: at, anchor }, around(left, at, width, LINE)];
  });
}
