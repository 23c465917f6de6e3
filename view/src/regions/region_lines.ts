/** Lines of the classifier's picture: borders, and where it is equally sure. */

import type { Regions } from "../scene/scene";
import { borders, isolines, nearBorders, smoothed } from "./contours";
import type { Polyline } from "./polylines";

/** Certainties that get a line, the higher the stronger. */
export const CERTAINTIES = [0.5, 0.75, 0.9] as const;
/** A little more, since lines fall apart where a height is the level itself. */
const BESIDE = 1 / 64;

/** Lines of a grid, in cells, and which share of it has no data near. */
export interface Lines {
  readonly borders: readonly Polyline[];
  /** For each of the levels. */
  readonly isolines: readonly (readonly Polyline[])[];
  readonly shareFar: number;
}

const known = new WeakMap<Regions, Lines>();

/** The lines of a classifier's picture, found once. */
export function linesOf(regions: Regions): Lines {
  const lines = known.get(regions) ?? tracedLines(regions);
  known.set(regions, lines);
  return lines;
}

function tracedLines({ labels, certainty, support }: Regions): Lines {
  const [rows, columns] = labels.shape;
  const grid = { rows, columns };
  const smooth = smoothed(grid, certainty.data);
  // Not where no data are near: certainty means nothing there.
  const far = support.data.map((has) => Number(has === 0));
  const near = nearBorders(grid, labels.data);
  return {
    borders: borders(grid, labels.data, certainty.data),
    isolines: CERTAINTIES.map((level) =>
      isolines(grid, smooth, 255 * level + BESIDE, far, near),
    ),
    shareFar: far.reduce((sum, is) => sum + is, 0) / far.length,
  };
}
