/** Names at the ends of arrows, none over another. */

import type { Size } from "../camera";
import type { Point } from "../geometry";
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
/** Around the point of an arrow, in pixels: no name covers it. */
const TIP = 5;

/**
 * A place for each name beyond the end of its arrow, the first ones served first, and
 * off what is taken. Null where there is none, or where the arrow ends off the stage.
 */
export function arrowNames(
  arrows: readonly NamedArrow[],
  { width, height }: Size,
  taken: readonly Rectangle[] = [],
): (ArrowName | null)[] {
  const tips = arrows.map(({ to: [x, y] }) => around(x - TIP, y, 2 * TIP, 2 * TIP));
  const rooms = [...taken, ...tips];
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

/** Beyond the end; beside it, or a little higher or lower. */
function candidates({ from, to, width }: NamedArrow): [ArrowName, Rectangle][] {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const side = ux < 0 ? -1 : 1;
  const beside = (way: number, lines: number) =>
    named(to[0] + GAP * way, to[1] + GAP * uy + lines * LINE, way, width);
  const beyond = named(to[0], to[1] + (GAP + LINE / 2) * Math.sign(uy), 0, width);
  return Math.abs(ux) < STEEP
    ? [beyond, beside(side, 0), beside(-side, 0)]
    : [beside(side, 0), beside(side, -1), beside(side, 1)];
}

/** A name to the right of a place (1), to its left (-1) or around it (0). */
function named(
  x: number,
  y: number,
  way: number,
  width: number,
): [ArrowName, Rectangle] {
  const anchor = way > 0 ? "start" : way < 0 ? "end" : "middle";
  return [{ x, y, anchor }, around(x - ((1 - way) / 2) * width, y, width, LINE)];
}
