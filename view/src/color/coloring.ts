/** The colorings of the points. */

import { count, percent } from "../format";
import { sampled } from "../geometry/plane";
import { COLORINGS, NAMES } from "../messages";
import {
  asCategories,
  type CategoryColumn,
  categoryOf,
  fieldsOf,
} from "../scene/fields";
import { heldOut } from "../scene/marked_points";
import { classOf } from "../scene/names";
import {
  type Codes,
  type Feature,
  once,
  type Scene,
  type Tensor,
} from "../scene/scene";
import { written } from "../scene/values";
import type { Part, State } from "../state";
import {
  COLORS,
  classColors,
  edgeColor,
  NONE,
  quieted,
  type Ramp,
  ramp,
  SHADES,
  type Shade,
  TONES,
} from "./colors";
import { LOOKS, lookOf, shapeOf } from "./looks";
import { CHOSEN, HIDDEN, MOST_EDGED, PLAIN, type Points, QUIET } from "./points";

/** A coloring of the points, with its name in the menu. */
export interface Choice {
  readonly value: string;
  readonly words: string;
}

/** A palette, and the index of each point in the palette. */
export interface Coloring {
  readonly palette: readonly string[];
  readonly quietPalette: readonly string[];
  readonly codes: Uint16Array;
  /** A shape for each entry of the palette; null if all points are discs. */
  readonly shapes?: Uint8Array | null;
  /** Edge colors of the classes, which make points visible on regions. */
  readonly edges?: readonly string[];
  /** Points that are always in the background. */
  readonly quiet: ((point: number) => boolean) | null;
}

/** Numbers shown by colors, from low to high. */
export interface Numbers {
  readonly words: string;
  readonly values: Float32Array;
  readonly low: number;
  readonly high: number;
  readonly kind?: Feature["kind"];
  /** Whether larger numbers occur, which have the color of the upper end. */
  readonly isOpen?: boolean;
  /** Whether the numbers are shares, which are shown in percent. */
  readonly isShare?: boolean;
  /** The meaning of a missing number. */
  readonly missing?: string;
}

/** The colorings that are available for a map of a scene. */
export function choices(scene: Scene, map: number): Choice[] {
  const distortion = scene.maps[map].distortion != null;
  const offered: [boolean, Choice][] = [
    [true, { value: "class", words: "Class" }],
    [scene.predictions !== null, { value: "prediction", words: "Prediction" }],
    [scene.certainty !== null, { value: "certainty", words: "Certainty" }],
    [
      scene.predictions !== null && scene.labels !== null,
      { value: "errors", words: COLORINGS.errors },
    ],
    [
      scene.held_out !== null,
      { value: "held_out", words: partWords(scene, "held_out") },
    ],
    [
      scene.maps[map].judged_right != null,
      { value: "judged_right", words: COLORINGS.judgedRight },
    ],
    [
      scene.maps[map].place_errors != null,
      { value: "place_errors", words: COLORINGS.placeErrors },
    ],
    [distortion, { value: "false_neighbours", words: COLORINGS.falseNeighbors }],
    [distortion, { value: "tears", words: "Tears" }],
  ];
  const fields = fieldsOf(scene)
    .filter(({ column }) => !column?.texts)
    .map(({ name, column }) => ({
      value: `${column === null ? "feature" : "column"}:${name}`,
      words: name,
    }));
  return [...offered.filter(([has]) => has).map(([, choice]) => choice), ...fields];
}

/** The classes that the legend counts and hides: the labels, or the predictions. */
export function grouping(scene: Scene, colorBy: string): Tensor<Codes> | null {
  return colorBy === "prediction"
    ? (scene.predictions ?? scene.labels)
    : (scene.labels ?? scene.predictions);
}

/** The number of points of each class, among all points or a subset. */
export function classCounts(
  scene: Scene,
  colorBy: string,
  points: Uint32Array | null,
): Uint32Array {
  const counts = new Uint32Array(scene.classes.length);
  const classes = grouping(scene, colorBy);
  for (let k = 0; classes && k < (points?.length ?? scene.n_points); k++) {
    const point = points?.[k] ?? k;
    const index = classes.data[point];
    if (index < counts.length && (colorBy !== "errors" || isError(scene, point))) {
      counts[index]++;
    }
  }
  return counts;
}

/** The number of points of each category, among a subset or the first n points. */
export function categoryCounts(
  column: CategoryColumn,
  points: Uint32Array | null,
  n: number,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (let k = 0; k < (points?.length ?? n); k++) {
    const index = categoryOf(column, points?.[k] ?? k);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return counts;
}

/** The current coloring; levels other than the data level show only classes. */
export function colorsOf({ level, colorBy }: State): string {
  return level === "data" ? colorBy : "class";
}

/** The heading of the legend. */
export function headingOf(colorBy: string): string {
  return { prediction: "Predictions", errors: "Errors" }[colorBy] ?? "Classes";
}

/** Whether the predicted class of a point differs from its label. */
export function isError(scene: Scene, point: number): boolean {
  const { labels, predictions } = scene;
  return (
    labels !== null &&
    predictions !== null &&
    classOf(labels, point) >= 0 &&
    classOf(labels, point) !== classOf(predictions, point)
  );
}

/** The color scale of a coloring that shows numbers. */
export function rampOf(colorBy: string): Ramp {
  return colorBy === "false_neighbours" || colorBy === "tears" ? colorBy : "numbers";
}

/** The numbers that a coloring shows; null if it shows classes. */
export function numbersOf(scene: Scene, map: number, colorBy: string): Numbers | null {
  const distortion = scene.maps[map].distortion;
  if (colorBy === "certainty") {
    const values = scene.certainty?.data;
    return values ? { words: "Certainty", values, low: 0, high: 1 } : null;
  }
  if (colorBy === "false_neighbours" || colorBy === "tears") {
    const words = colorBy === "tears" ? "Tears" : COLORINGS.falseNeighbors;
    const values = distortion?.[colorBy].data;
    const high = scaleEnds(scene)[colorBy];
    return values ? { words, values, low: 0, high, isOpen: high < 1 } : null;
  }
  if (colorBy === "judged_right") {
    const values = scene.maps[map].judged_right?.data;
    const scale = { low: 0, high: 1, isShare: true, missing: COLORINGS.neverTried };
    return values ? { words: COLORINGS.judgedRight, values, ...scale } : null;
  }
  if (colorBy === "place_errors") {
    const values = scene.maps[map].place_errors?.errors.data;
    const scale = { low: 0, high: 1, isOpen: true, missing: COLORINGS.notTested };
    return values ? { words: COLORINGS.placeErrors, values, ...scale } : null;
  }
  const column = columnOf(scene, colorBy)?.numbers;
  if (column) {
    return { ...column, words: column.name, missing: NAMES.missing };
  }
  const feature = scene.features.find(({ name }) => colorBy === `feature:${name}`);
  return feature ? { ...feature, words: feature.name } : null;
}

function columnOf({ columns }: Scene, colorBy: string) {
  return columns.find(({ name }) => colorBy === `column:${name}`);
}

/** The column of categories that a coloring shows; null if it shows none. */
export function categoriesOf(scene: Scene, colorBy: string): CategoryColumn | null {
  return asCategories(columnOf(scene, colorBy));
}

/** A value in words, as on the color scale. */
export function scaleWords(numbers: Numbers, value: number): string {
  if (numbers.isShare) {
    return percent(value);
  }
  const words = written(numbers, value);
  return numbers.isOpen && value === numbers.high ? COLORINGS.orMore(words) : words;
}

/** The meaning and number of gray points; "" if no number is missing. */
export function missingWords({ values, missing }: Numbers): string {
  const n = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 1 : 0), 0);
  return missing && n > 0 ? `${missing}: ${count(n)}` : "";
}

/** Whether colors show classes, and not numbers, columns or held-out rows. */
export function showsClasses(scene: Scene, map: number, colorBy: string): boolean {
  return (
    numbersOf(scene, map, colorBy) === null &&
    categoriesOf(scene, colorBy) === null &&
    !showsHeldOut(scene, colorBy)
  );
}

function showsHeldOut({ held_out }: Scene, colorBy: string): boolean {
  return colorBy === "held_out" && held_out !== null;
}

/** The rows to which the map or classifier was fitted, and all other rows. */
export const PARTS: readonly Part[] = ["fitted", "held_out"];

/** The name of one of these two parts. */
export function partWords({ new_rows }: Scene, part: Part): string {
  const words = new_rows
    ? { fitted: "Fitted", held_out: "New" }
    : { fitted: "Fitted", held_out: "Held out" };
  return words[part];
}

/** The number of rows in a part. */
export function partSize(scene: Scene, part: Part): number {
  const out = heldOut(scene).length;
  return part === "held_out" ? out : scene.n_points - out;
}

/** The colors of the two parts. */
export function partColors(shade: Shade): readonly [string, string] {
  return [NONE, TONES[shade].accent];
}

/** Color the points. If the scene has no numbers for a coloring, classes are shown. */
export function coloring(
  scene: Scene,
  map: number,
  colorBy: string,
  shade: Shade,
): Coloring {
  const numbers = numbersOf(scene, map, colorBy);
  if (numbers) {
    const palette = [...ramp(rampOf(colorBy), shade), NONE];
    return { ...palettes(palette, shade), codes: shadesOf(numbers), quiet: null };
  }
  if (showsHeldOut(scene, colorBy)) {
    const codes = Uint16Array.from(scene.held_out?.data ?? []);
    return { ...palettes(partColors(shade), shade), codes, quiet: null };
  }
  const categories = categoriesOf(scene, colorBy);
  if (categories) {
    const n = categories.words.length;
    const codes = codesOf(scene, n, (point) => categoryOf(categories, point));
    return { ...looks(n, shade), codes, quiet: null };
  }
  const isQuiet = (point: number) => !isError(scene, point);
  const classes = grouping(scene, colorBy);
  const own = (point: number) => lookOf(scene, classes ? classOf(classes, point) : -1);
  return {
    ...looks(scene.classes.length, shade),
    codes: codesOf(scene, scene.classes.length, own),
    quiet: colorBy === "errors" && scene.predictions ? isQuiet : null,
  };
}

/**
 * The colors of n points and of their edges. Many points have no edges, because only edges
 * would be visible; on regions, such points have the color of their edges.
 */
export function marksOf(
  { palette, edges }: Coloring,
  n: number,
  onRegions: boolean,
): Pick<Points, "palette" | "edges" | "isOpaque"> {
  if (n <= MOST_EDGED) {
    return { palette, edges: edges ?? null, isOpaque: false };
  }
  return onRegions && edges
    ? { palette: edges, edges: null, isOpaque: true }
    : { palette, edges: null, isOpaque: false };
}

/** The number of palette entries for n classes; the next entry means no class. */
function looksOf(n: number): number {
  return Math.min(Math.max(n, COLORS.length), LOOKS);
}

/** Colors of n classes and of "no class", with shapes if colors repeat. */
function looks(n: number, shade: Shade) {
  const places = Array.from({ length: looksOf(n) }, (_, c) => c);
  const colors = places.map((c) => classColors(shade)[c % COLORS.length]);
  const shapes = Uint8Array.from([...places.map(shapeOf), 0]);
  return {
    ...palettes([...colors, NONE], shade),
    shapes: n > COLORS.length ? shapes : null,
    edges: [...colors, NONE].map((color) => edgeColor(color, shade)),
  };
}

function palettes(palette: readonly string[], shade: Shade) {
  return { palette, quietPalette: palette.map((color) => quieted(color, shade)) };
}

/** The palette index of each point, from its class. */
function codesOf({ n_points }: Scene, n: number, ownOf: (point: number) => number) {
  const codes = new Uint16Array(n_points);
  const none = looksOf(n);
  for (let i = 0; i < codes.length; i++) {
    const own = ownOf(i);
    codes[i] = own < 0 ? none : own % none;
  }
  return codes;
}

function shadesOf({ values, low, high }: Numbers): Uint16Array {
  const codes = new Uint16Array(values.length);
  const step = (SHADES - 1) / (high - low || 1);
  for (let i = 0; i < codes.length; i++) {
    const code = Math.round((values[i] - low) * step);
    codes[i] = Number.isNaN(code) ? SHADES : Math.min(Math.max(code, 0), SHADES - 1);
  }
  return codes;
}

/** The state of each point: hidden, quiet next to selected points, or plain. */
export function statesOf(
  scene: Scene,
  { colorBy, hiddenClasses, hiddenParts, hiddenCategories, selection }: State,
  quiet: Coloring["quiet"],
): Uint8Array {
  const states = new Uint8Array(scene.n_points).fill(selection.length ? QUIET : PLAIN);
  for (const point of selection) {
    states[point] = CHOSEN;
  }
  const classes = hiddenClasses.size > 0 ? grouping(scene, colorBy) : null;
  const out = hiddenParts.size > 0 ? scene.held_out : null;
  const columns = Array.from(hiddenCategories, ([name, hidden]) => ({
    column: categoriesOf(scene, `column:${name}`),
    hidden,
  }));
  for (let i = 0; i < states.length; i++) {
    const isHidden =
      (classes && hiddenClasses.has(classes.data[i])) ||
      columns.some(
        ({ column, hidden }) => column && hidden.has(categoryOf(column, i)),
      ) ||
      (out && hiddenParts.has(PARTS[out.data[i]]));
    if (isHidden) {
      states[i] = HIDDEN;
    } else if (quiet && states[i] === PLAIN && quiet(i)) {
      states[i] = QUIET;
    }
  }
  return states;
}

type Distortion = "false_neighbours" | "tears";

/** The share of points with different colors; the other points have the end color. */
const MOST = 0.98;
/** The ends of scales are multiples of 1 / STEPS. */
const STEPS = 20;
/** The number of points that are used to find the end. */
const ENOUGH = 5000;

/**
 * The ends of the scales of distortions, because most shares are far from 1. All maps of
 * a scene have the same end, so that they can be compared.
 */
const scaleEnds = once(({ maps }: Scene): Record<Distortion, number> => {
  const end = (kind: Distortion) =>
    Math.max(...maps.map(({ distortion }) => mostOf(distortion?.[kind].data ?? [])));
  return { false_neighbours: end("false_neighbours"), tears: end("tears") };
});

/** A rounded upper limit of all but a few of the shares. */
function mostOf(shares: ArrayLike<number>): number {
  const rows = sampled(shares.length, ENOUGH);
  const some = Float64Array.from(rows, (row) => shares[row]).sort();
  const most = some[Math.floor(MOST * (some.length - 1))] ?? 0;
  return Math.min(Math.max(Math.ceil(most * STEPS), 1) / STEPS, 1);
}
