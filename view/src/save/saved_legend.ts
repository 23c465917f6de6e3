/** The legend of a saved picture: numbers, classes with their counts, and the key. */

import {
  categoriesOf,
  colorsOf,
  countMissing,
  grouping,
  headingOf,
  isError,
  numbersOf,
  PARTS,
  partColors,
  partSize,
  partWords,
  rampOf,
  scaleWords,
} from "../color/coloring";
import { classColor, NONE, ramp, type Shade } from "../color/colors";
import { colorIn, shapeIn } from "../color/looks";
import { shapeOf } from "../color/shapes";
import type { Context } from "../context";
import { keyOf, SWATCH, swatch } from "../panels/key";
import { type CategoryColumn, categoryOf, categoryTitle } from "../scene/fields";
import type { Scene } from "../scene/scene";
import * as format from "../scene/words/format";
import { classOrder, classTitle, shortened, toldApart } from "../scene/words/names";
import { wrapped } from "../scene/words/text";
import type { State } from "../state";
import { svg } from "../ui/elements";
import { shapeMark } from "../ui/marks";

const COLUMN = 208;
/** What is written in a column; the rest keeps columns apart. */
const WIDTH = 176;
const LINE = 18;
const GAP = 14;
const RADIUS = 5;
const LONGEST_NAME = 18;
const LONGEST_LINE = 23;

interface SavedLegend {
  readonly el: SVGGElement;
  readonly width: number;
  readonly height: number;
}

/** Classes go on in further columns where one is not enough for this height. */
export function savedLegend(
  { scene, store }: Context,
  shade: Shade,
  height: number,
): SavedLegend {
  const { state } = store;
  const el = svg("g", {});
  const top = appendScale(el, scene, state, shade);
  const key = keyed(scene, state);
  const classes = shownClasses(scene, state);
  const names = toldApart(
    scene.classes.map((_, index) => classTitle(scene, index)),
    LONGEST_NAME,
  );
  const rows = Math.max(Math.floor((height - top - LINE - key.height) / LINE), 1);
  if (classes.length > 0) {
    el.append(heading(headingOf(colorsOf(state)), top + 12));
  }
  classes.forEach(({ index, count }, k) => {
    const x = Math.floor(k / rows) * COLUMN;
    const y = top + LINE + (k % rows) * LINE + 12;
    const fill = colorIn(scene, index, shade);
    el.append(
      shapeMark(shapeIn(scene, index), [x + 5, y - 4], RADIUS, { fill }),
      svg("text", { x: x + 16, y }, names[index]),
      svg(
        "text",
        { x: x + WIDTH, y, "text-anchor": "end", opacity: 0.7 },
        format.count(count),
      ),
    );
  });
  const listed = classes.length > 0 ? LINE * (1 + Math.min(rows, classes.length)) : 0;
  key.el.setAttribute("transform", `translate(0 ${top + listed + GAP})`);
  el.append(key.el);
  return {
    el,
    width: COLUMN * Math.max(Math.ceil(classes.length / rows), 1),
    height: top + listed + key.height,
  };
}

function heading(words: string, y: number): SVGTextElement {
  return svg("text", { y, "font-weight": 600 }, words);
}

/** What the colours of numbers stand for; returns how high that is. */
function appendScale(el: SVGGElement, scene: Scene, state: State, shade: Shade) {
  const colorBy = colorsOf(state);
  const numbers = numbersOf(scene, state.map, colorBy);
  const categories = categoriesOf(scene, colorBy);
  if (categories) {
    return appendCategories(el, scene, state, categories, shade);
  }
  if (!numbers) {
    return colorBy === "held_out" ? appendParts(el, scene, shade) : 0;
  }
  const colors = ramp(rampOf(colorBy), shade).filter((_, i) => i % 4 === 0);
  const step = WIDTH / colors.length;
  const { low, high } = numbers;
  el.append(
    heading(shortened(numbers.words, LONGEST_LINE + 2), 12),
    ...colors.map((fill, k) =>
      svg("rect", { x: k * step, y: 20, width: step + 0.5, height: 10, fill }),
    ),
    svg("text", { y: 44 }, scaleWords(numbers, low)),
    svg("text", { x: WIDTH, y: 44, "text-anchor": "end" }, scaleWords(numbers, high)),
  );
  const n = numbers.missing ? countMissing(numbers) : 0;
  if (n === 0) {
    return 44 + GAP;
  }
  el.append(
    svg("circle", { cx: 5, cy: 58, r: 5, fill: NONE }),
    svg("text", { x: 16, y: 62 }, `${numbers.missing}: ${format.count(n)}`),
  );
  return 62 + GAP;
}

/** More than these do not leave room for the classes. */
const MOST_CATEGORIES = 16;

/** The categories that are not hidden; returns how high that is. */
function appendCategories(
  el: SVGGElement,
  scene: Scene,
  { hiddenCategories }: State,
  column: CategoryColumn,
  shade: Shade,
): number {
  const counts = new Map<number, number>();
  for (let i = 0; i < scene.n_points; i++) {
    const index = categoryOf(column, i);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const hidden = hiddenCategories.get(column.name);
  const shown = [...column.words.keys(), -1].filter(
    (index) => counts.has(index) && !hidden?.has(index),
  );
  const few = shown.slice(0, MOST_CATEGORIES);
  el.append(heading(shortened(column.name, LONGEST_LINE + 2), 12));
  few.forEach((index, k) => {
    const y = LINE * (k + 1) + 12;
    const fill = classColor(index, column.words.length, shade);
    el.append(
      shapeMark(shapeOf(index), [5, y - 4], RADIUS, { fill }),
      svg("text", { x: 16, y }, shortened(categoryTitle(column, index), LONGEST_NAME)),
      svg(
        "text",
        { x: WIDTH, y, "text-anchor": "end", opacity: 0.7 },
        format.count(counts.get(index) ?? 0),
      ),
    );
  });
  const left = shown.length - few.length;
  if (left > 0) {
    const y = LINE * (few.length + 1) + 12;
    el.append(svg("text", { x: 16, y }, `and ${format.count(left)} more`));
  }
  return LINE * (few.length + 1 + Math.sign(left)) + GAP;
}

/** The two kinds of rows, where colours stand for them; returns how high that is. */
function appendParts(el: SVGGElement, scene: Scene, shade: Shade): number {
  if (scene.held_out === null) {
    return 0;
  }
  el.append(heading("Rows", 12));
  PARTS.forEach((part, k) => {
    const y = LINE * (k + 1) + 12;
    const fill = partColors(shade)[k];
    el.append(
      svg("circle", { cx: 5, cy: y - 4, r: 5, fill }),
      svg("text", { x: 16, y }, partWords(scene, part)),
      svg(
        "text",
        { x: WIDTH, y, "text-anchor": "end", opacity: 0.7 },
        format.count(partSize(scene, part)),
      ),
    );
  });
  return LINE * 3 + GAP;
}

/** Classes that are not hidden, and how many points the colours show of each. */
function shownClasses(scene: Scene, state: State): { index: number; count: number }[] {
  const colorBy = colorsOf(state);
  const counts = new Uint32Array(scene.classes.length);
  grouping(scene, colorBy)?.data.forEach((index, point) => {
    if (index < counts.length && (colorBy !== "errors" || isError(scene, point))) {
      counts[index]++;
    }
  });
  return classOrder(scene)
    .filter((index) => !state.hiddenClasses.has(index))
    .map((index) => ({ index, count: counts[index] }));
}

function keyed(scene: Scene, state: State): { el: SVGGElement; height: number } {
  const el = svg("g", {});
  let y = 0;
  for (const { kind, words } of keyOf(scene, state)) {
    const mark = swatch(kind);
    mark.setAttribute("transform", `translate(0 ${y + 2})`);
    el.append(mark);
    for (const line of wrapped(words, LONGEST_LINE)) {
      el.append(svg("text", { x: SWATCH.width + 8, y: y + 12 }, line));
      y += LINE;
    }
  }
  return { el, height: y > 0 ? y + GAP : 0 };
}
