/** What the colors of the points mean. */

import { sampled } from "../map/geometry";
import {
  CHOSEN,
  HIDDEN,
  MOST_EDGED,
  PLAIN,
  type Points,
  QUIET,
} from "../map/painting/points";
import { COLORINGS, NAMES } from "../messages";
import {
  asCategories,
  type CategoryColumn,
  categoryOf,
  fieldsOf,
} from "../scene/fields";
import { count, percent } from "../scene/format";
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

/** One way to color the points, as the menu names it. */
export interface Choice {
  readonly value: string;
  readonly words: string;
}

/** A palette, and the place of each point in it. */
export interface Coloring {
  readonly palette: readonly string[];
  readonly quietPalette: readonly string[];
  readonly codes: Uint16Array;
  /** Shapes of the places in the palette; null where all are discs. */
  readonly shapes?: Uint8Array | null;
  /** Edges of the colors of classes, to be seen on regions. */
  readonly edges?: readonly string[];
  /** Points that stay in the background, whatever is chosen. */
  readonly quiet: ((point: number) => boolean) | null;
}

/** Numbers shown by colors, from low to high. */
export interface Numbers {
  readonly words: string;
  readonly values: Float32Array;
  readonly low: number;
  readonly high: number;
  readonly kind?: Feature["kind"];
  /** Whether some are higher, and have the end color too. */
  readonly isOpen?: boolean;
  /** Whether they are shares, written in percent. */
  readonly isShare?: boolean;
  /** What it means that one is missing. */
  readonly missing?: string;
}

/** The colorings that a scene has the numbers for, on one of its maps. */
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

/** The classes that the legend counts and hides: given ones, or those of the model. */
export function grouping(scene: Scene, colorBy: string): Tensor<Codes> | null {
  return colorBy === "prediction"
    ? (scene.predictions ?? scene.labels)
    : (scene.labels ?? scene.predictions);
}

/** How many of some points, or of all, the legend counts of each class. */
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

/** How many of some points, or of the first n, are of each category. */
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

/** What colors mean: other levels than that of the data show classes only. */
export function colorsOf({ level, colorBy }: State): string {
  return level === "data" ? colorBy : "class";
}

/** What the legend counts. */
export function headingOf(colorBy: string): string {
  return { prediction: "Predictions", errors: "Errors" }[colorBy] ?? "Classes";
}

/** Whether the model gives a point another class than the data do. */
export function isError(scene: Scene, point: number): boolean {
  const { labels, predictions } = scene;
  return (
    labels !== null &&
    predictions !== null &&
    classOf(labels, point) >= 0 &&
    classOf(labels, point) !== classOf(predictions, point)
  );
}

/** The ramp of a coloring that shows numbers. */
export function rampOf(colorBy: string): Ramp {
  return colorBy === "false_neighbours" || colorBy === "tears" ? colorBy : "numbers";
}

/** The numbers that a coloring shows; null where it shows classes. */
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

/** A value on the scale of some numbers. */
export function scaleWords(numbers: Numbers, value: number): string {
  if (numbers.isShare) {
    return percent(value);
  }
  const words = written(numbers, value);
  return numbers.isOpen && value === numbers.high ? COLORINGS.orMore(words) : words;
}

/** What gray points are, and how many; "" where all have a number. */
export function missingWords({ values, missing }: Numbers): string {
  const n = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 1 : 0), 0);
  return missing && n > 0 ? `${missing}: ${count(n)}` : "";
}

/** Whether colors show classes: not numbers, columns, nor rows of the fit. */
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

/** The two kinds of rows: what the map or classifier was fitted to, and the others. */
export const PARTS: readonly Part[] = ["fitted", "held_out"];

/** What one kind of rows is called. */
export function partWords({ new_rows }: Scene, part: Part): string {
  const words = new_rows
    ? { fitted: "Fitted", held_out: "New" }
    : { fitted: "Fitted", held_out: "Held out" };
  return words[part];
}

/** How many rows are of one kind. */
export function partSize(scene: Scene, part: Part): number {
  const out = heldOut(scene).length;
  return part === "held_out" ? out : scene.n_points - out;
}

/** The colors of the two kinds of rows. */
export function partColors(shade: Shade): readonly [string, string] {
  return [NONE, TONES[shade].accent];
}

/** Color the points. What a scene has no numbers for is colored by class. */
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
 * The colors of n points and of their edges. Many points have no edge, as it would be
 * all that is seen of them: on regions they have its color, and nothing shines through.
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

/** The places in the palette that n classes take; the one after them is for none. */
function looksOf(n: number): number {
  return Math.min(Math.max(n, COLORS.length), LOOKS);
}

/** Colors of n classes and of none, and shapes where colors repeat. */
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

/** The place in the palette of each point: of its own of n classes, or of none. */
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

/** How each point is drawn: hidden with its class, quiet beside chosen ones, or plain. */
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

/** The share of points that have colors of their own; the others have the end color. */
const MOST = 0.98;
/** Ends are multiples of one by this. */
const STEPS = 20;
/** Points of a map that are looked at. */
const ENOUGH = 5000;

/**
 * Where the scales of distortions end, as most shares are far from one: at the same end
 * for all maps of a scene, so that they can be compared.
 */
const scaleEnds = once(({ maps }: Scene): Record<Distortion, number> => {
  const end = (kind: Distortion) =>
    Math.max(...maps.map(({ distortion }) => mostOf(distortion?.[kind].data ?? [])));
  return { false_neighbours: end("false_neighbours"), tears: end("tears") };
});

/** What all but a few of some shares are below, rounded up. */
function mostOf(shares: ArrayLike<number>): number {
  const rows = sampled(shares.length, ENOUGH);
  const some = Float64Array.from(rows, (row) => shares[row]).sort();
  const most = some[Math.floor(MOST * (some.length - 1))] ?? 0;
  return Math.min(Math.max(Math.ceil(most * STEPS), 1) / STEPS, 1);
}
