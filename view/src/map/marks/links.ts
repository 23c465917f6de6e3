/** Lines from an object to its neighbours in the data, and rings around these. */

import type { Point } from "../geometry";
import { placeOf } from "../picking";
import { bentLine, type Projection } from "../projection";
import type { PointMark } from "./point_marks";

export interface Links {
  readonly lines: readonly (readonly Point[])[];
  readonly rings: readonly PointMark[];
}

export const NO_LINKS: Links = { lines: [], rings: [] };

/** Links of the given radius; points that touch need no line. */
export function linksOf(
  projection: Projection,
  positions: ArrayLike<number>,
  [object, ...near]: readonly number[],
  radius: number,
): Links {
  const from = placeOf(positions, object);
  const places = near.map((point) => placeOf(positions, point));
  const lines = places.map((to) =>
    cut([...bentLine(projection, from, to), projection.screen(to)], radius),
  );
  return {
    lines: lines.filter(({ length }) => length > 1),
    rings: places.map((place) => ({ at: projection.screen(place), radius })),
  };
}

/** A line without what lies inside the rings at its ends. */
function cut(line: readonly Point[], radius: number): Point[] {
  const [start, end] = [line[0], line[line.length - 1]];
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(dx, dy);
  if (length <= 2 * radius) {
    return [];
  }
  if (line.length === 2) {
    const [ux, uy] = [(radius * dx) / length, (radius * dy) / length];
    return [
      [start[0] + ux, start[1] + uy],
      [end[0] - ux, end[1] - uy],
    ];
  }
  const isOutside = ([x, y]: Point, [cx, cy]: Point) =>
    Math.hypot(x - cx, y - cy) >= radius;
  return line.filter((point) => isOutside(point, start) && isOutside(point, end));
}
