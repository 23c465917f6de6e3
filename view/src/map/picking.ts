/** Points under the pointer or inside a drawn line, and changes of a selection. */

import { HIDDEN } from "../color/points";
import { bounds, inPolygon, type Point, placeOf } from "../geometry/plane";
import { toPlane, toScreen } from "./camera";
import type { Grid } from "./grid";
import type { Projection } from "./projection";

/** Maximum distance of the pointer from a point. */
const REACH = 10;

export interface Pickable {
  /** The grid of the flat map. */
  readonly grid: Grid;
  /** Positions as drawn: flat, or in the disc. */
  readonly shown: Float32Array;
  readonly states: Uint8Array;
}

/** The point under a pixel, or -1; `reach` is the maximum distance in pixels. */
export function pointAt(
  { grid, states }: Pickable,
  projection: Projection,
  pixel: Point,
  reach = REACH,
): number {
  const [x, y] = projection.place(pixel);
  const visible = (point: number) => states[point] !== HIDDEN;
  // In the disc, a pixel near the rim covers a larger part of the map.
  const radius = Math.max(
    ...[-reach, reach].flatMap((d) => [
      gap(projection.place([pixel[0] + d, pixel[1]]), x, y),
      gap(projection.place([pixel[0], pixel[1] + d]), x, y),
    ]),
  );
  if (!projection.disc) {
    return grid.nearest(x, y, radius, visible);
  }
  const isNear = (point: number) => {
    const [sx, sy] = projection.screen(placeOf(grid.positions, point));
    return visible(point) && Math.hypot(sx - pixel[0], sy - pixel[1]) <= reach;
  };
  return Number.isFinite(radius) ? grid.nearest(x, y, radius, isNear) : -1;
}

/** The next visible point on the stage from a pixel in a direction, or -1. */
export function pointBeside(
  { shown, states }: Pickable,
  { camera, size }: Projection,
  [x, y]: Point,
  [dx, dy]: Point,
): number {
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (let point = 0; point < states.length; point++) {
    const [px, py] = toScreen(camera, size, shown[2 * point], shown[2 * point + 1]);
    const along = (px - x) * dx + (py - y) * dy;
    // A distance to the side is weighted twice, because another arrow key leads there.
    const far = along + 2 * Math.abs((px - x) * dy - (py - y) * dx);
    const isOnStage = px >= 0 && px <= size.width && py >= 0 && py <= size.height;
    if (states[point] !== HIDDEN && isOnStage && along > 0.5 && far < least) {
      [best, least] = [point, far];
    }
  }
  return best;
}

/** The visible points inside a polygon drawn on the stage, ascending. */
export function pointsInside(
  { shown, grid, states }: Pickable,
  projection: Projection,
  polygon: readonly Point[],
): Uint32Array {
  const corners = polygon.map(([x, y]) =>
    toPlane(projection.camera, projection.size, x, y),
  );
  const box = bounds(corners.flat());
  const inside: number[] = [];
  const test = (point: number) => {
    const x = shown[2 * point];
    const y = shown[2 * point + 1];
    // The box is tested first, because most points are outside.
    const isInBox = x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
    if (states[point] !== HIDDEN && isInBox && inPolygon(x, y, corners)) {
      inside.push(point);
    }
  };
  if (projection.disc) {
    for (let point = 0; point < states.length; point++) {
      test(point);
    }
  } else {
    grid.within(box, test);
  }
  return Uint32Array.from(inside).sort();
}

/** Combine a selection with newly picked points: replace it, add to it, or remove from it. */
export function combined(
  before: Uint32Array,
  picked: Uint32Array,
  how: "instead" | "add" | "remove",
): Uint32Array {
  if (how === "instead") {
    return picked;
  }
  const chosen = new Set(before);
  for (const point of picked) {
    if (how === "add") {
      chosen.add(point);
    } else {
      chosen.delete(point);
    }
  }
  return Uint32Array.from(chosen).sort();
}

function gap([ax, ay]: Point, x: number, y: number): number {
  return Math.hypot(ax - x, ay - y);
}
