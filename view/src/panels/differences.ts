/** The columns that separate some points from others, in words and bars. */

import {
  asCategories,
  type CategoryColumn,
  categoryOf,
  categoryTitle,
  type Field,
  fieldsOf,
} from "../scene/fields";
import { percent } from "../scene/format";
import { distinctNames, inWords } from "../scene/names";
import type { Feature, Scene } from "../scene/scene";
import { written } from "../scene/values";
import { html } from "../ui/elements";
import { note, section } from "./parts";

const FEATURES_SHOWN = 8;
/** Of a column. */
const SHARES_SHOWN = 3;
const LONGEST_NAME = 44;
/** In standard deviations: what is worth telling, and what fills the room of a bar. */
const LEAST = 0.2;
const MOST = 3;

/** Null where the scene has no columns. */
export function differenceSection(
  scene: Scene,
  selection: Uint32Array,
): HTMLElement | null {
  if (fieldsOf(scene).length === 0) {
    return null;
  }
  const one = selection.length === 1;
  const title = one ? "What sets it apart" : "What sets them apart";
  if (selection.length === scene.n_points) {
    return section(
      title,
      note("All points are chosen: there is no rest to compare with."),
    );
  }
  const differences = fieldDifferences(scene, selection);
  return section(title, ...differenceList(differences, { ...REST, one }));
}

/** What two parts of a comparison are called; `one` object has values, many have means. */
interface Sides {
  readonly here: string;
  readonly rest: string;
  readonly one: boolean;
}

const REST = { here: "here", rest: "in the rest" };

/** The columns that differ most, and how to read them. */
export function differenceList(
  compared: FieldDifferences,
  sides: Sides,
): HTMLElement[] {
  const shown = compared.differences
    .filter(({ size }) => Math.abs(size) >= LEAST)
    .slice(0, FEATURES_SHOWN);
  if (shown.length === 0) {
    const rest = sides.rest === REST.rest ? "from the rest " : "";
    return [note(`Nothing stands out: no feature differs ${rest}by ${LEAST} sd.`)];
  }
  const fields = shown.map(({ field }) => field);
  const names = distinctNames(fields, LONGEST_NAME);
  return [
    html(
      "ol",
      { class: "ls-differences" },
      ...shown.map((difference, k) => differenceItem(difference, names[k], sides)),
    ),
    note(differenceNote(compared, sides.one)),
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
    shares.length > 0
      ? shareWords(difference, sides)
      : meanWords(difference, field.numbers, sides);
  return html(
    "li",
    { "data-feature": field.name, "data-value": size },
    html("span", { class: "ls-difference-name", title: field.name, dir: "auto" }, name),
    html(
      "span",
      { class: "ls-difference-bar", "aria-hidden": "true" },
      html("span", { style: `left: ${start}%; width: ${share}%` }),
    ),
    html("span", { class: "ls-meaning" }, meaning),
  );
}

function meanWords(
  { chosen, rest, size }: FieldDifference,
  numbers: Feature | null,
  { here, rest: others, one }: Sides,
): string {
  const feature = numbers ?? {};
  const way = size > 0 ? "higher" : "lower";
  const means = `${mean(feature, rest)} ${others}`;
  const own = one ? written(feature, chosen) : mean(feature, chosen);
  return (
    `${own} ${here}, ${one ? `on average ${means}` : means}: ` +
    `${Math.abs(size).toFixed(1)} sd ${way}`
  );
}

/** Shares of the categories that differ most. */
function shareWords(
  { field, size, shares }: FieldDifference,
  { here, rest: others, one }: Sides,
): string {
  const column = asCategories(field.column);
  if (column === null) {
    return "";
  }
  const title = (category: number) => inWords(categoryTitle(column, category));
  const own = shares.find(({ chosen }) => chosen === 1);
  if (one && own) {
    return `${title(own.category)} ${here}, as ${percent(own.rest)} ${others}`;
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

/** The mean of truth values is how many are true. */
function mean(feature: Partial<Feature>, value: number): string {
  return feature.kind === "truth" ? percent(value) : written(feature, value);
}

function differenceNote({ sampled }: FieldDifferences, one: boolean): string {
  const words =
    `${one ? "Differences" : "Means; differences"} in standard deviations (sd) of all ` +
    `points. A bar to the end is ${MOST} sd or more.`;
  return sampled ? `${words} Estimated from a part of the points.` : words;
}

// Which columns set some points apart: means of numbers, shares of categories.

/** How often a category is met. */
interface Share {
  readonly category: number;
  readonly chosen: number;
  readonly rest: number;
  /** Their difference in standard deviations of all points. */
  readonly size: number;
}

interface FieldDifference {
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
  const compared = featureDifferences(
    counted.map(({ numbers }) => numbers),
    scene.n_points,
    selection,
    others,
  );
  const ofNumbers = compared.differences.map(({ feature, chosen, rest, size }) => ({
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
  return { differences, sampled: compared.sampled };
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

// Which features set some points apart from the rest.

interface Difference {
  /** Index of the feature. */
  readonly feature: number;
  /** Means of the chosen points and of the others. */
  readonly chosen: number;
  readonly rest: number;
  /** Their difference in standard deviations of all points. */
  readonly size: number;
}

interface FeatureDifferences {
  /** By size, the largest first. */
  readonly differences: readonly Difference[];
  /** Whether only a part of the points was looked at. */
  readonly sampled: boolean;
}

interface Sums {
  count: number;
  sum: number;
  squares: number;
}

/** Values looked at for all features together: more take longer than a person waits. */
const MANY_VALUES = 8_000_000;

/**
 * Compare chosen points with all others, or with some of them. Missing values are left
 * out.
 */
export function featureDifferences(
  features: readonly Feature[],
  n: number,
  selection: Uint32Array,
  others: Uint32Array | null = null,
): FeatureDifferences {
  const isChosen = new Uint8Array(n);
  for (const point of selection) {
    isChosen[point] = 1;
  }
  const strideOf = (points: number) =>
    Math.max(1, Math.ceil((points * features.length) / MANY_VALUES));
  const nOthers = others?.length ?? n;
  const [few, many] = [strideOf(selection.length), strideOf(nOthers)];
  const differences = features
    .map((feature, j) => {
      const chosen = none();
      for (let k = 0; k < selection.length; k += few) {
        count(chosen, feature, selection[k]);
      }
      const rest = none();
      for (let k = 0; k < nOthers; k += many) {
        const i = others?.[k] ?? k;
        if (isChosen[i] === 0) {
          count(rest, feature, i);
        }
      }
      return difference(j, zeroOf(feature), times(chosen, few), times(rest, many));
    })
    .filter((one) => one !== null)
    .sort((a, b) => Math.abs(b.size) - Math.abs(a.size));
  return { differences, sampled: many > 1 };
}

function difference(j: number, zero: number, a: Sums, b: Sums): Difference | null {
  const n = a.count + b.count;
  const mean = (a.sum + b.sum) / n;
  const spread = Math.sqrt(Math.max(0, (a.squares + b.squares) / n - mean * mean));
  if (a.count === 0 || b.count === 0 || spread === 0) {
    return null;
  }
  const [chosen, rest] = [a.sum / a.count, b.sum / b.count];
  return {
    feature: j,
    chosen: chosen + zero,
    rest: rest + zero,
    size: (chosen - rest) / spread,
  };
}

/** Values are summed from the lowest on, so that no digits are lost. */
function zeroOf({ low }: Feature): number {
  return Number.isFinite(low) ? low : 0;
}

function none(): Sums {
  return { count: 0, sum: 0, squares: 0 };
}

function count(sums: Sums, feature: Feature, point: number): void {
  const value = feature.values[point] - zeroOf(feature);
  if (!Number.isNaN(value)) {
    sums.count += 1;
    sums.sum += value;
    sums.squares += value * value;
  }
}

function times({ count, sum, squares }: Sums, factor: number): Sums {
  return { count: count * factor, sum: sum * factor, squares: squares * factor };
}
