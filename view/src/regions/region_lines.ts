/** The areas of regions, and the lines in them. */

import { once, type Regions } from "../scene/scene";
import { borders, isolines, nearBorders, outlines, smoothed } from "./contours";
import type { Polyline } from "./polylines";

/** Certainties that have an isoline; higher certainties have stronger lines. */
export const CERTAINTIES = [0.5, 0.75, 0.9] as const;
/** A small offset, because lines break where a height equals the level. */
const BESIDE = 1 / 64;

/** Lines of a grid, in cells, and the share of the grid without data nearby. */
export interface Lines {
  readonly borders: readonly Polyline[];
  /** For each of the levels. */
  readonly isolines: readonly (readonly Polyline[])[];
  readonly shareFar: number;
}

/** The lines of the predicted regions. */
export const linesOf: (regions: Regions) => Lines = once(tracedLines);

function tracedLines({ labels, certainty, support }: Regions): Lines {
  const [rows, columns] = labels.shape;
  const grid = { rows, columns };
  const smooth = smoothed(grid, certainty.data);
  // No isolines where no data are near, because certainty has no meaning there.
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

// The regions as areas: each class, in steps of certainty.

/** Steps of certainty. */
const STEPS = 5;

/** Where one class is predicted, with at least the certainty `from`; areas overlap. */
export interface Area {
  readonly label: number;
  readonly from: number;
  readonly to: number;
  /** Whether this is the lowest area of its class. */
  readonly isFirst: boolean;
  /** Closed lines of the grid, including lines around holes. */
  readonly outlines: readonly Polyline[];
}

/** The areas of the regions, and the outlines of the parts far from all data. */
export function areasOf(regions: Regions): { areas: Area[]; far: Polyline[] } {
  const { labels, certainty, support } = regions;
  const [rows, columns] = labels.shape;
  const grid = { rows, columns };
  const present = Array.from(new Set(labels.data)).sort((a, b) => a - b);
  const areas = present.flatMap((label) =>
    Array.from({ length: STEPS }, (_, k) => ({
      label,
      from: k / STEPS,
      to: (k + 1) / STEPS,
      isFirst: k === 0,
      outlines: outlines(
        grid,
        (cell) =>
          labels.data[cell] === label && certainty.data[cell] >= (255 * k) / STEPS,
      ),
    })),
  );
  return {
    areas: areas.filter((area) => area.outlines.length > 0),
    far: outlines(grid, (cell) => support.data[cell] === 0),
  };
}
