/** Names beside marks, without overlaps. */

import type { Size } from "../camera";

interface Named {
  /** Middle and half width of the mark, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Width of the name. */
  readonly width: number;
}

export interface Place {
  readonly x: number;
  /** Middle of the line. */
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const LINE = 16;
const GAP = 4;

/**
 * A place for each name, to the right of its mark, to the left, below or above; earlier names
 * have precedence. Null if all places are occupied.
 */
export function besideMarks(
  marks: readonly Named[],
  width: number,
  height: number,
): (Place | null)[] {
  const taken = marks.map(({ x, y, radius }) => roomOf(x, y, radius));
  return firstFree(marks.map(candidates), { width, height }, taken, true);
}

/**
 * For each name, the first candidate on the stage that overlaps neither `taken` nor earlier
 * names. `isOwn`: the first rooms are the marks of the names, which may be touched.
 */
export function firstFree(
  names: readonly (readonly [Place, Rectangle][])[],
  { width, height }: Size,
  taken: readonly Rectangle[],
  isOwn = false,
): (Place | null)[] {
  const rooms = [...taken];
  return names.map((tried, own) => {
    const free = tried.find(
      ([, room]) =>
        room.left >= 0 &&
        room.top >= 0 &&
        room.right <= width &&
        room.bottom <= height &&
        rooms.every((other, i) => (isOwn && i === own) || !overlap(room, other)),
    );
    rooms.push(...(free ? [free[1]] : []));
    return free?.[0] ?? null;
  });
}

function candidates({ x, y, radius, width }: Named): [Place, Rectangle][] {
  const away = radius + GAP;
  const below = away + LINE / 2;
  return [
    [{ x: x + away, y, anchor: "start" }, around(x + away, y, width, LINE)],
    [{ x: x - away, y, anchor: "end" }, around(x - away - width, y, width, LINE)],
    [
      { x, y: y + below, anchor: "middle" },
      around(x - width / 2, y + below, width, LINE),
    ],
    [
      { x, y: y - below, anchor: "middle" },
      around(x - width / 2, y - below, width, LINE),
    ],
  ];
}

/** The room that a mark occupies. */
export function roomOf(x: number, y: number, radius: number): Rectangle {
  return around(x - radius, y, 2 * radius, 2 * radius);
}

/** The room of a name, from its left end and the middle of its line. */
export function around(
  left: number,
  y: number,
  width: number,
  height: number,
): Rectangle {
  return { left, right: left + width, top: y - height / 2, bottom: y + height / 2 };
}

function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
