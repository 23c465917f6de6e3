/** The columns that distinguish some points from others, in words and bars. */

import { percent } from "../format";
import { DIFFERENCES } from "../messages";
import {
  asCategories,
  type CategoryColumn,
  categoryOf,
  categoryTitle,
  type Field,
  fieldsOf,
} from "../scene/fields";
import { distinctNames, inWords } from "../scene/names";
import { type Feature, maskOf, type Scene } from "../scene/scene";
import { written } from "../scene/values";
import { html } from "../ui/elements";
import { note, section } from "./parts";

const FEATURES_SHOWN = 8;
/** The number of categories shown for a column. */
const SHARES_SHOWN = 3;
const LONGEST_NAME = 44;
/** In standard deviations: the least difference that is shown, and that of a full bar. */
const LEAST = 0.2;
const MOST = 3;

/** Null if the scene has no columns. */
export function differenceSection(
  scene: Scene,
  selection: Uint32Array,
): HTMLElement | null {
  if (fieldsOf(scene).length === 0) {
    return null;
  }
  const one = selection.length === 1;
  const title = DIFFERENCES.title(one);
  if (selection.length === scene.n_points) {
    return section(title, note(DIFFERENCES.allSelected));
  }
  const { here, others } = DIFFERENCES;
  const differences = fieldDifferences(scene, selection);
  return section(title, ...differenceList(differences, { here, others, one }));
}

/** Names of the compared groups; `one` point has values, several points have means. */
interface Sides {
  readonly here: string;
  readonly others: string;
  readonly one: boolean;
}

/** The columns that differ most, and how to read the bars. */
export function differenceList(
  { differences, sampled }: FieldDifferences,
  sides: Sides,
): HTMLElement[] {
  const first = differences
    .filter(({ size }) => Math.abs(size) >= LEAST)
    .slice(0, FEATURES_SHOWN);
  if (first.length === 0) {
    return [note(DIFFERENCES.none(LEAST, sides.others === DIFFERENCES.others))];
  }
  const fields = first.map(({ field }) => field);
  const names = distinctNames(fields, LONGEST_NAME);
  return [
    html(
      "ol.ls-differences",
      ...first.map((difference, k) => differenceItem(difference, names[k], sides)),
    ),
    note(DIFFERENCES.note(sides.one, MOST, sampled)),
  ];
}

function differenceItem(
  difference: FieldDifference,
  name: string,
  sides: Sides,
): HTMLElement {
  const { field, size, shares } = difference;
  const share = 50 * Math.min(1, Math.abs(size) / MOST);
  const start = size > 0 ? 50 : 50 - share;
  const meaning =
    shares.length > 0 ? shareWords(difference, sides) : meanWords(difference, sides);
  return html(
    "li",
    { "data-feature": field.name, "data-value": size },
    html("span.ls-difference-name", { title: field.name, dir: "auto" }, name),
    html(
      "span.ls-difference-bar",
      { "aria-hidden": "true" },
      html("span", { style: `left: ${start}%; width: ${share}%` }),
    ),
    html("span.ls-meaning", meaning),
  );
}

function meanWords(
  { field, chosen, rest, size }: FieldDifference,
  { here, others, one }: Sides,
): string {
  const feature = field.numbers ?? {};
  const means = `${mean(feature, rest)} ${others}`;
  return DIFFERENCES.number(
    one ? written(feature, chosen) : mean(feature, chosen),
    here,
    one ? DIFFERENCES.average(means) : means,
    Math.abs(size).toFixed(1),
    size > 0,
  );
}

/** Shares of the categories that differ most. */
function shareWords(
  { field, size, shares }: FieldDifference,
  { here, others, one }: Sides,
): string {
  const column = asCategories(field.column);
  if (column === null) {
    return "";
  }
  const title = (category: number) => inWords(categoryTitle(column, category));
  const own = shares.find(({ chosen }) => chosen === 1);
  if (one && own) {
    return DIFFERENCES.same(title(own.category), here, own.rest, others);
  }
  const way = size > 0 ? "more" : "less";
  const [first, ...more] = shares.slice(0, SHARES_SHOWN);
  return [
    `${title(first.category)}: ${percent(first.chosen)} ${here}, ` +
      `${percent(first.rest)} ${others} (${Math.abs(size).toFixed(1)} sd ${way})`,
    ...more.map(
      ({ category, chosen, rest }) =>
        `${title(category)}: ${percent(chosen)}, ${percent(rest)}`,
    ),
  ].join("; ");
}

/** The mean of truth values is shown as the share of "yes". */
function mean(feature: Partial<Feature>, value: number): string {
  return feature.kind === "truth" ? percent(value) : written(feature, value);
}

// Columns that distinguish some points: means of numbers, and shares of categories.

interface Difference {
  /** Means, or shares of a category, of the selected points and of the other points. */
  readonly chosen: number;
  readonly rest: number;
  /** Their difference in standard deviations of all points. */
  readonly size: number;
}

/** The share of a category in both groups. */
interface Share extends Difference {
  readonly category: number;
}

interface FieldDifference extends Difference {
  readonly field: Field;
  /** For categories, the largest differences first; empty for numbers. */
  readonly shares: readonly Share[];
}

export interface FieldDifferences {
  /** The largest differences first. */
  readonly differences: readonly FieldDifference[];
  /** Whether only a sample of the points was used. */
  readonly sampled: boolean;
}

/** Maximum number of values to read; more values would take too long. */
const MANY_VALUES = 8_000_000;

/** Compare some points with all others, or with a sample of them, column by column. */
export function fieldDifferences(
  scene: Scene,
  here: Uint32Array,
  others: Uint32Array | null = null,
): FieldDifferences {
  const fields = fieldsOf(scene);
  const isHere = maskOf(here, scene.n_points);
  const there = (others ?? isHere.map((_, i) => i)).filter((i) => isHere[i] === 0);
  const nNumbers = fields.filter(({ numbers }) => numbers).length;
  const [few, many] = [here, there].map(({ length }) =>
    Math.max(1, Math.ceil((length * nNumbers) / MANY_VALUES)),
  );
  const differences = fields.flatMap((field): FieldDifference[] => {
    const column = asCategories(field.column);
    if (field.numbers) {
      const { numbers } = field;
      const sums = [sumsOf(numbers, here, few), sumsOf(numbers, there, many)];
      const difference = meanDifference(zeroOf(numbers), sums[0], sums[1]);
      return difference ? [{ field, ...difference, shares: [] }] : [];
    }
    const shares = column ? sharesOf(column, here, there) : [];
    return shares.length > 0 ? [{ field, ...shares[0], shares }] : [];
  });
  differences.sort((a, b) => Math.abs(b.size) - Math.abs(a.size));
  return { differences, sampled: many > 1 };
}

/** Shares among points whose category is known. */
function sharesOf(
  column: CategoryColumn,
  here: Uint32Array,
  there: Uint32Array,
): Share[] {
  const counts = [here, there].map((points) => {
    const sizes = new Float64Array(column.words.length);
    for (const point of points) {
      sizes[categoryOf(column, point)] += 1;
    }
    return sizes;
  });
  const [n, m] = counts.map((sizes) => sizes.reduce((a, b) => a + b, 0));
  if (n === 0 || m === 0) {
    return [];
  }
  return column.words
    .map((_, category) => {
      const [a, b] = counts.map((sizes) => sizes[category]);
      const [chosen, rest] = [a / n, b / m];
      const mean = (a + b) / (n + m);
      const spread = Math.sqrt(mean * (1 - mean));
      return { category, chosen, rest, size: spread ? (chosen - rest) / spread : 0 };
    })
    .sort((a, b) => weight(b) - weight(a));
}

/** If there are only two categories, the category of the selected points is first. */
function weight({ size }: Share): number {
  return size > 0 ? (1 + 1e-9) * size : -size;
}

interface Sums {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

/** Sums over every `stride`-th point, times the stride; missing values are left out. */
function sumsOf(feature: Feature, points: Uint32Array, stride: number): Sums {
  const zero = zeroOf(feature);
  let [count, sum, squares] = [0, 0, 0];
  for (let k = 0; k < points.length; k += stride) {
    const value = feature.values[points[k]] - zero;
    if (!Number.isNaN(value)) {
      count += stride;
      sum += stride * value;
      squares += stride * value * value;
    }
  }
  return { count, sum, squares };
}

function meanDifference(zero: number, a: Sums, b: Sums): Difference | null {
  const n = a.count + b.count;
  const mean = (a.sum + b.sum) / n;
  const spread = Math.sqrt(Math.max(0, (a.squares + b.squares) / n - mean * mean));
  if (a.count === 0 || b.count === 0 || spread === 0) {
    return null;
  }
  const [chosen, rest] = [a.sum / a.count, b.sum / b.count];
  return { chosen: chosen + zero, rest: rest + zero, size: (chosen - rest) / spread };
}

/** Values are summed relative to the lowest value, which avoids rounding errors. */
function zeroOf({ low }: Feature): number {
  return Number.isFinite(low) ? low : 0;
}
