/** Marks on points: holes in those held out, rings around contradictions and suspects. */

import type { Point } from "../geometry";
import { HIDDEN, type Look } from "../painting/points";
import { placeOf } from "../picking";
import type { Projection } from "../projection";

export interface PointMark {
  readonly at: Point;
  readonly radius: number;
}

export interface PointMarks {
  readonly holes: readonly PointMark[];
  readonly rings: readonly PointMark[];
}

/** In smaller points, in pixels, a hole would not be seen. */
const LEAST_SIZE = 4.5;
/** Of the radius of a point. */
const HOLE = 0.5;
/** Between a point and its ring, in pixels; a suspect may have two. */
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

/** Rings around points whose label seems to be wrong. */
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
  const { width, height } = projection.size;
  const marks: PointMark[] = [];
  for (const point of points) {
    const state = states[point];
    if (state === HIDDEN) {
      continue;
    }
    const at = projection.screen(placeOf(positions, point));
    if (at[0] >= 0 && at[1] >= 0 && at[0] <= width && at[1] <= height) {
      marks.push({ at, radius: radiusOf(sizes[state] / 2) });
    }
  }
  return marks;
}
