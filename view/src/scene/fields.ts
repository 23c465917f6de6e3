/** The columns of the table in the user's form: numbers, categories, or texts. */

import { NAMES } from "../messages";
import { type Feature, once, type Scene, type SceneColumn } from "./scene";
import { type ShownValue, shownValue } from "./values";

/** A column: a feature, categories encoded by features, or a column that is only shown. */
export interface Field {
  readonly name: string;
  /** The features that encode the column; empty if it is only shown. */
  readonly features: readonly number[];
  /** Its numbers, if there are any. */
  readonly numbers: Feature | null;
  /** Null for a feature that is a column of the table. */
  readonly column: SceneColumn | null;
}

/** A column of categories, and the category of each point. */
export interface CategoryColumn extends SceneColumn {
  readonly codes: NonNullable<SceneColumn["codes"]>;
  readonly words: readonly string[];
}

/** The columns that features are or encode, in the order of the features, then the others. */
const allFields: (scene: Scene) => readonly Field[] = once(findFields);

/** The columns with a value for each point: all except columns of vectors. */
export const fieldsOf: (scene: Scene) => readonly Field[] = once((scene) =>
  allFields(scene).filter(
    ({ numbers, column }) => numbers ?? column?.codes ?? column?.texts,
  ),
);

function findFields({ features, columns }: Scene): Field[] {
  const owner = new Map<number, SceneColumn>();
  for (const column of columns) {
    for (const j of column.features?.data ?? []) {
      owner.set(j, column);
    }
  }
  const used = new Set<SceneColumn>();
  const fields: Field[] = [];
  const add = (column: SceneColumn) => {
    used.add(column);
    fields.push({
      name: column.name,
      features: Array.from(column.features?.data ?? []),
      numbers: column.numbers,
      column,
    });
  };
  features.forEach((feature, j) => {
    const column = owner.get(j);
    if (column === undefined) {
      fields.push({
        name: feature.name,
        features: [j],
        numbers: feature,
        column: null,
      });
    } else if (!used.has(column)) {
      add(column);
    }
  });
  for (const column of columns.filter((one) => !used.has(one))) {
    add(column);
  }
  return fields;
}

/** The columns that the model or map uses. */
export function seenFields(scene: Scene): Field[] {
  return allFields(scene).filter(({ features }) => features.length > 0);
}

/** The sum of these numbers over the features of a field. */
export function sumOf({ features }: Field, numbers: ArrayLike<number>): number {
  return features.reduce((sum, j) => sum + numbers[j], 0);
}

/** The column as a column of categories; null if it has no categories. */
export function asCategories(
  column: SceneColumn | null | undefined,
): CategoryColumn | null {
  return column?.codes && column.words ? (column as CategoryColumn) : null;
}

/** Index of the category of a point; -1 if it has none. */
export function categoryOf({ codes, words }: CategoryColumn, point: number): number {
  const code = codes.data[point];
  return code < words.length ? code : -1;
}

/** The name of a category, which may be empty; -1 means none. */
export function categoryTitle({ words }: CategoryColumn, index: number): string {
  const word = words[index];
  return word === undefined ? NAMES.missing : word.trim() === "" ? NAMES.empty : word;
}

/** The value of a point, in words. */
export function fieldValue(field: Field, point: number): ShownValue {
  const categories = asCategories(field.column);
  if (categories !== null) {
    return { words: categoryTitle(categories, categoryOf(categories, point)) };
  }
  return field.numbers
    ? shownValue(field.numbers, point)
    : { words: field.column?.texts?.at(point) ?? "" };
}

/** Tolerance for the feature values of a category, relative to those of other categories. */
const NEAR = 1e-3;

/**
 * The category whose features have these values; -1 if they are between several categories,
 * which never occurs for points.
 */
export function categoryWith(
  column: CategoryColumn,
  values: readonly number[],
): number {
  const { index, isExact } = nearestCategory(column, values);
  return isExact ? index : -1;
}

/** The category whose features are nearest to these values; -1 if a value is missing. */
export function nearestCategory(
  { patterns, words }: CategoryColumn,
  values: readonly number[],
): { readonly index: number; readonly isExact: boolean } {
  const m = values.length;
  const data = patterns?.data ?? new Float32Array();
  const scale = Math.max(...data.map(Math.abs), 1e-12);
  const gaps = words.map((_, k) => values.map((value, j) => value - data[k * m + j]));
  const far = gaps.map((gap) => Math.hypot(...gap));
  const index = far.indexOf(Math.min(...far));
  const isExact = gaps[index]?.every((gap) => Math.abs(gap) <= NEAR * scale) ?? false;
  return { index, isExact };
}
