/** The columns of the table as people know them: numbers, categories, or texts. */

import { NAMES } from "../messages";
import { type Feature, once, type Scene, type SceneColumn } from "./scene";
import { type ShownValue, shownValue } from "./values";

/** One column: a feature, categories encoded by features, or one that is only shown. */
export interface Field {
  readonly name: string;
  /** The features that encode it; none where it is only shown. */
  readonly features: readonly number[];
  /** Its numbers, if it has any. */
  readonly numbers: Feature | null;
  /** Null for a feature that is a column of the table. */
  readonly column: SceneColumn | null;
}

/** A column of categories, and the category of each point. */
export interface CategoryColumn extends SceneColumn {
  readonly codes: NonNullable<SceneColumn["codes"]>;
  readonly words: readonly string[];
}

/** The columns that features are or encode, in their order, then the others. */
const allFields: (scene: Scene) => readonly Field[] = once(findFields);

/** Those with a value for each point: all but columns of vectors. */
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

/** The columns that the model or map sees. */
export function seenFields(scene: Scene): Field[] {
  return allFields(scene).filter(({ features }) => features.length > 0);
}

/** What a field adds up to, where its features have these numbers. */
export function sumOf({ features }: Field, numbers: ArrayLike<number>): number {
  return features.reduce((sum, j) => sum + numbers[j], 0);
}

/** The column as one of categories; null if it has none. */
export function asCategories(
  column: SceneColumn | null | undefined,
): CategoryColumn | null {
  return column?.codes && column.words ? (column as CategoryColumn) : null;
}

/** Index of the category of a point; -1 where it has none. */
export function categoryOf({ codes, words }: CategoryColumn, point: number): number {
  const code = codes.data[point];
  return code < words.length ? code : -1;
}

/** What a category is called, where a word may be empty; -1 is none. */
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

/** How far off the values of a category may be, in terms of those of others. */
const NEAR = 1e-3;

/**
 * The category whose features have these values; -1 where they are between several, as
 * no object is.
 */
export function categoryWith(
  column: CategoryColumn,
  values: readonly number[],
): number {
  const { index, isExact } = nearestCategory(column, values);
  return isExact ? index : -1;
}

/** The category whose features come nearest to these values; -1 where one is missing. */
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
