/** Which columns set some points apart: means of numbers, shares of categories. */

import {
  asCategories,
  type CategoryColumn,
  categoryOf,
  type Field,
  fieldsOf,
} from "../../scene/fields";
import type { Scene } from "../../scene/scene";
import { featureDifferences } from "./feature_differences";

/** How often a category is met. */
export interface Share {
  readonly category: number;
  readonly chosen: number;
  readonly rest: number;
  /** Their difference in standard deviations of all points. */
  readonly size: number;
}

export interface FieldDifference {
  readonly field: Field;
  /** Means of the chosen points and of the others; of categories, the first share. */
  readonly chosen: number;
  readonly rest: number;
  readonly size: number;
  /** Of categories, those that differ most first; empty for numbers. */
  readonly shares: readonly Share[];
}

export interface FieldDifferences {
  /** By size, the largest first. */
  readonly differences: readonly FieldDifference[];
  /** Whether only a part of the points was looked at. */
  readonly sampled: boolean;
}

/** Compare chosen points with all others, or with some of them, column by column. */
export function fieldDifferences(
  scene: Scene,
  selection: Uint32Array,
  others: Uint32Array | null = null,
): FieldDifferences {
  const fields = fieldsOf(scene);
  const counted = fields.flatMap((field) =>
    field.numbers ? [{ field, numbers: field.numbers }] : [],
  );
  const found = featureDifferences(
    counted.map(({ numbers }) => numbers),
    scene.n_points,
    selection,
    others,
  );
  const ofNumbers = found.differences.map(({ feature, chosen, rest, size }) => ({
    field: counted[feature].field,
    chosen,
    rest,
    size,
    shares: [],
  }));
  const isChosen = new Uint8Array(scene.n_points);
  for (const point of selection) {
    isChosen[point] = 1;
  }
  const ofCategories = fields.flatMap((field) => {
    const column = asCategories(field.column);
    const shares = column ? sharesOf(column, isChosen, selection, others) : [];
    return shares.length > 0 ? [{ field, ...shares[0], shares }] : [];
  });
  const differences = [...ofNumbers, ...ofCategories].sort(
    (a, b) => Math.abs(b.size) - Math.abs(a.size),
  );
  return { differences, sampled: found.sampled };
}

/** Shares among points whose category is known. */
function sharesOf(
  column: CategoryColumn,
  isChosen: Uint8Array,
  selection: Uint32Array,
  others: Uint32Array | null,
): Share[] {
  const here = new Float64Array(column.words.length);
  const there = new Float64Array(column.words.length);
  for (const point of selection) {
    here[categoryOf(column, point)] += 1;
  }
  for (let k = 0; k < (others?.length ?? isChosen.length); k++) {
    const point = others?.[k] ?? k;
    if (isChosen[point] === 0) {
      there[categoryOf(column, point)] += 1;
    }
  }
  const [n, m] = [here, there].map((counts) => counts.reduce((a, b) => a + b, 0));
  if (n === 0 || m === 0) {
    return [];
  }
  return column.words
    .map((_, category) => {
      const [chosen, rest] = [here[category] / n, there[category] / m];
      const mean = (here[category] + there[category]) / (n + m);
      const spread = Math.sqrt(mean * (1 - mean));
      return { category, chosen, rest, size: spread ? (chosen - rest) / spread : 0 };
    })
    .sort((a, b) => weight(b) - weight(a));
}

/** Of two categories that are all there is, what the chosen points are comes first. */
function weight({ size }: Share): number {
  return size > 0 ? (1 + 1e-9) * size : -size;
}
