/** Marks of single points: holes, rings, and lines to neighbors. */

import { HIDDEN } from "../../color/points";
import type { Point } from "../../geometry/plane";
import { placeOf } from "../../geometry/plane";
import { measuresOf, neighborsOf } from "../../scene/neighbors";
import type { Scene } from "../../scene/scene";
import { areLinked, measureOf, type State } from "../../state";
import type { Look } from "../painting/appearance";
import { bentLine, type Projection } from "../projection";

export interface PointMark {
  readonly at: Point;
  readonly radius: number;
}

export interface PointMarks {
  readonly holes: readonly PointMark[];
  readonly rings: readonly PointMark[];
}

/** A hole would not be visible in smaller points, in pixels. */
const LEAST_SIZE = 4.5;
/** Radius of the hole, as a share of the radius of the point. */
const HOLE = 0.5;
/** Gap between a point and its ring, in pixels; a suspect may have two rings. */
const GAP = 1.5;
const WIDE_GAP = 4;

interface Marked {
  readonly projection: Projection;
  readonly positions: ArrayLike<number>;
  readonly states: Uint8Array;
  readonly sizes: Look["sizes"];
  readonly heldOut: Uint32Array;
  readonly contradictions: Uint32Array;
}

/** The marks of points that are on the stage and not hidden. */
export function pointMarks(marked: Marked): PointMarks {
  const { heldOut, contradictions, sizes } = marked;
  return {
    holes: sizes[0] < LEAST_SIZE ? [] : marksOf(marked, heldOut, (r) => HOLE * r),
    rings: marksOf(marked, contradictions, (r) => r + GAP),
  };
}

/** Rings around points whose label looks wrong. */
export function suspectRings(
  marked: Omit<Marked, "heldOut" | "contradictions">,
  suspects: Uint32Array,
): PointMark[] {
  return marksOf(marked, suspects, (r) => r + WIDE_GAP);
}

function marksOf(
  { projection, positions, states, sizes }: Omit<Marked, "heldOut" | "contradictions">,
  points: Uint32Array,
  radiusOf: (radius: number) => number,
): PointMark[] {
  const marks: PointMark[] = [];
  for (const point of points) {
    const state = states[point];
    if (state === HIDDEN) {
      continue;
    }
    const at = projection.screen(placeOf(positions, point));
    if (projection.isOn(at)) {
      marks.push({ at, radius: radiusOf(sizes[state] / 2) });
    }
  }
  return marks;
}

// Lines from a point to its neighbors in the data, and rings around the neighbors.

export interface Links {
  readonly lines: readonly (readonly Point[])[];
  readonly rings: readonly PointMark[];
}

/**
 * Lines from the first of some points to the other points, with rings of a given radius;
 * points that touch have no line.
 */
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

/** A line without its parts inside the rings at both ends. */
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

// The open point on the map, linked to its nearest neighbors in the data.

/** The open point and its neighbors that are not hidden; empty if no links are shown. */
export function linkedPoints(scene: Scene, state: State, states: Uint8Array): number[] {
  const measures = measuresOf(scene);
  const { object } = state;
  if (!areLinked(state) || object === null || measures.length === 0) {
    return [];
  }
  const near = neighborsOf(scene, object, measureOf(state, measures));
  const shown = near.filter(({ point }) => states[point] !== HIDDEN);
  return [object, ...shown.map(({ point }) => point)];
}
