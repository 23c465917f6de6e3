/** The classifier's picture as areas: each class, and steps of how sure it is there. */

import type { Regions } from "../scene/scene";
import { outlines } from "./contours";
import type { Polyline } from "./polylines";

/** Steps of certainty that are told apart. */
const STEPS = 5;

/** Where one class decides, at least as surely as `from`; areas lie on each other. */
export interface Area {
  readonly label: number;
  readonly from: number;
  readonly to: number;
  /** Whether nothing of the class lies below. */
  readonly isFirst: boolean;
  /** Closed lines of the grid, holes among them. */
  readonly outlines: readonly Polyline[];
}

/** The areas of a picture, and the outlines of what is far from all data. */
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
