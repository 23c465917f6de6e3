/** The values of a column in bins, for histograms. */

import { NAMES } from "../messages";
import { asCategories, categoryOf, categoryTitle, fieldsOf } from "./fields";
import { classOf, classTitle } from "./names";
import type { Codes, Feature, Scene, Tensor } from "./scene";
import { isImputed, written } from "./values";

/** The bins of a column, and the bin of each point; NONE if its value is missing. */
export interface Bins {
  readonly name: string;
  readonly codes: Uint8Array;
  /** The content of each bin, in words. */
  readonly words: readonly string[];
  /** Lowest and highest number, in words; null for categories. */
  readonly ends: readonly [string, string] | null;
}

/** A column that can be shown in bins. */
interface Binned {
  readonly name: string;
  bins(): Bins;
}

const NONE = 255;
const MOST_BARS = 24;
const MOST_CATEGORIES = 8;

/** The columns of numbers, classes and categories; bins are computed on request. */
export function binnedColumns(scene: Scene): Binned[] {
  const { n_points: n, labels, predictions, certainty } = scene;
  const columns: Binned[] = [];
  const add = (name: string, bins: () => Bins) => columns.push({ name, bins });
  const ofClass = (name: string, codes: Tensor<Codes> | null) => {
    if (codes) {
      const words = scene.classes.map((_, c) => classTitle(scene, c));
      add(name, () => categoryBins(name, n, words, (i) => classOf(codes, i)));
    }
  };
  ofClass("class", labels);
  ofClass("prediction", predictions);
  if (certainty) {
    const values = certainty.data;
    const kind = { kind: null, imputed: null };
    add("certainty", () =>
      numberBins({ name: "certainty", low: 0, high: 1, values, ...kind }),
    );
  }
  for (const { name, column, numbers } of fieldsOf(scene)) {
    const categories = asCategories(column);
    if (categories) {
      const words = categories.words.map((_, c) => categoryTitle(categories, c));
      add(name, () => categoryBins(name, n, words, (i) => categoryOf(categories, i)));
    } else if (numbers) {
      add(name, () => numberBins(numbers));
    }
  }
  return columns;
}

/** The number of points in each bin, among all points or a subset. */
export function binCounts(
  { codes, words }: Bins,
  points: Uint32Array | null,
): Uint32Array {
  const counts = new Uint32Array(NONE + 1);
  if (points === null) {
    for (const code of codes) {
      counts[code] += 1;
    }
  } else {
    for (const point of points) {
      counts[codes[point]] += 1;
    }
  }
  return counts.subarray(0, words.length);
}

/** The points that are in a wanted bin of every column. */
export function inBins(
  n: number,
  wanted: readonly { readonly bins: Bins; readonly chosen: ReadonlySet<number> }[],
): Uint32Array {
  const isIn = new Uint8Array(n).fill(1);
  for (const { bins, chosen } of wanted) {
    const fits = Uint8Array.from({ length: NONE + 1 }, (_, k) => Number(chosen.has(k)));
    for (let i = 0; i < n; i++) {
      isIn[i] &= fits[bins.codes[i]];
    }
  }
  const points = new Uint32Array(isIn.reduce((sum, one) => sum + one, 0));
  let at = 0;
  for (let i = 0; i < n; i++) {
    if (isIn[i]) {
      points[at++] = i;
    }
  }
  return points;
}

/** Bins of equal width; if there are few whole numbers, one bin for each. */
function numberBins(feature: Feature): Bins {
  const { name, values } = feature;
  const known = (i: number) => Number.isFinite(values[i]) && !isImputed(feature, i);
  let [low, high, isWhole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  for (let i = 0; i < values.length; i++) {
    if (known(i)) {
      low = Math.min(low, values[i]);
      high = Math.max(high, values[i]);
      isWhole &&= Number.isInteger(values[i]);
    }
  }
  const codes = new Uint8Array(values.length).fill(NONE);
  if (low > high) {
    return { name, codes, words: [], ends: ["", ""] };
  }
  const single = isWhole && high - low < MOST_BARS;
  const count = single ? high - low + 1 : MOST_BARS;
  const width = single ? 1 : (high - low) / count || 1;
  for (let i = 0; i < values.length; i++) {
    if (known(i)) {
      codes[i] = Math.min(Math.floor((values[i] - low) / width), count - 1);
    }
  }
  const at = (k: number) => written(feature, low + k * width);
  const words = Array.from({ length: count }, (_, k) =>
    single ? at(k) : NAMES.range(at(k), at(k + 1)),
  );
  return { name, codes, words, ends: [written(feature, low), written(feature, high)] };
}

/** The most frequent categories, and one bin for all others. */
function categoryBins(
  name: string,
  n: number,
  titles: readonly string[],
  codeOf: (point: number) => number,
): Bins {
  const sizes = new Float64Array(titles.length);
  for (let i = 0; i < n; i++) {
    const code = codeOf(i);
    if (code >= 0) {
      sizes[code] += 1;
    }
  }
  const ranked = [...titles.keys()].sort((a, b) => sizes[b] - sizes[a] || a - b);
  const most = titles.length > MOST_CATEGORIES + 1 ? MOST_CATEGORIES : titles.length;
  // In the order of the categories.
  const shown = ranked.slice(0, most).sort((a, b) => a - b);
  const binOf = new Uint8Array(titles.length).fill(most);
  shown.forEach((code, k) => {
    binOf[code] = k;
  });
  const codes = Uint8Array.from({ length: n }, (_, i) => binOf[codeOf(i)] ?? NONE);
  const others = titles.length - most;
  const words = [
    ...shown.map((code) => titles[code]),
    ...(others > 0 ? [NAMES.others(others)] : []),
  ];
  return { name, codes, words, ends: null };
}
