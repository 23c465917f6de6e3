/** Legend and lights as a part of a saved picture. */

import {
  categoriesOf,
  categoryCounts,
  classCounts,
  colorsOf,
  headingOf,
  missingWords,
  numbersOf,
  PARTS,
  partColors,
  partSize,
  partWords,
  rampOf,
  scaleWords,
} from "../color/coloring";
import { classColor, NONE, ramp, type Shade } from "../color/colors";
import { colorIn, shapeIn, shapeOf } from "../color/looks";
import type { Context } from "../context";
import * as format from "../format";
import type { Point } from "../geometry/plane";
import { LEGEND } from "../messages";
import { keyOf, SWATCH, swatch } from "../panels/key";
import { type CategoryColumn, categoryTitle } from "../scene/fields";
import { classOrder, classTitle, distinctNames, shortened } from "../scene/names";
import type { Light, Scene } from "../scene/scene";
import type { State } from "../state";
import { svg } from "../ui/elements";
import { type LightState, lightShape } from "../ui/lights";
import { shapeMark } from "../ui/marks";
import { BOLD, linesOf, nameIn, PLAIN } from "./texts";

const COLUMN = 208;
/** Width of the content of a column; the rest separates the columns. */
const WIDTH = 176;
const LINE = 18;
const GAP = 14;
const RADIUS = 5;
const LONGEST_NAME = 18;
const LONGEST_HEADING = 25;
/** Width of a number of points, at most. */
const NUMBER = 48;

/** The legend for a height; classes continue in further columns if one is not enough. */
export function savedLegend({ scene, store }: Context, shade: Shade, height: number) {
  const { state } = store;
  const el = svg("g");
  const top = appendScale(el, scene, state, shade);
  const key = keyed(scene, state);
  const counts = classCounts(scene, colorsOf(state), null);
  const classes = classOrder(scene).filter((index) => !state.hiddenClasses.has(index));
  const names = distinctNames(
    scene.classes.map((_, index) => classTitle(scene, index)),
    LONGEST_NAME,
  );
  const rows = Math.max(Math.floor((height - top - LINE - key.height) / LINE), 1);
  if (classes.length > 0) {
    el.append(heading(headingOf(colorsOf(state)), top + 12));
  }
  classes.forEach((index, k) => {
    const x = Math.floor(k / rows) * COLUMN;
    const y = top + LINE + (k % rows) * LINE + 12;
    const look = { shape: shapeIn(scene, index), fill: colorIn(scene, index, shade) };
    el.append(...row([x, y], look, names[index], counts[index]));
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

/** A mark, its meaning, and its number of points. */
function row(
  [x, y]: Point,
  { shape, fill }: { readonly shape: number; readonly fill: string },
  words: string,
  n: number,
): SVGElement[] {
  return [
    shapeMark(shape, [x + 5, y - 4], RADIUS, { fill }),
    nameIn(WIDTH - NUMBER - 16, words, { x: x + 16, y }),
    svg(
      "text",
      { x: x + WIDTH, y, "text-anchor": "end", opacity: 0.7 },
      format.count(n),
    ),
  ];
}

function heading(words: string, y: number): SVGTextElement {
  return nameIn(WIDTH, shortened(words, LONGEST_HEADING), { y }, BOLD);
}

/** Append the color scale of numbers; return its height. */
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
    heading(numbers.words, 12),
    ...colors.map((fill, k) =>
      svg("rect", { x: k * step, y: 20, width: step + 0.5, height: 10, fill }),
    ),
    svg("text", { y: 44 }, scaleWords(numbers, low)),
    svg("text", { x: WIDTH, y: 44, "text-anchor": "end" }, scaleWords(numbers, high)),
  );
  const missing = missingWords(numbers);
  if (!missing) {
    return 44 + GAP;
  }
  el.append(
    svg("circle", { cx: 5, cy: 58, r: 5, fill: NONE }),
    nameIn(WIDTH - 16, missing, { x: 16, y: 62 }),
  );
  return 62 + GAP;
}

/** More categories would not leave room for the classes. */
const MOST_CATEGORIES = 16;

/** Append the categories that are not hidden; return their height. */
function appendCategories(
  el: SVGGElement,
  scene: Scene,
  { hiddenCategories }: State,
  column: CategoryColumn,
  shade: Shade,
): number {
  const counts = categoryCounts(column, null, scene.n_points);
  const hidden = hiddenCategories.get(column.name);
  const shown = [...column.words.keys(), -1].filter(
    (index) => counts.has(index) && !hidden?.has(index),
  );
  const few = shown.slice(0, MOST_CATEGORIES);
  el.append(heading(column.name, 12));
  few.forEach((index, k) => {
    const fill = classColor(index, column.words.length, shade);
    const words = shortened(categoryTitle(column, index), LONGEST_NAME);
    const look = { shape: shapeOf(index), fill };
    el.append(...row([0, LINE * (k + 1) + 12], look, words, counts.get(index) ?? 0));
  });
  const left = shown.length - few.length;
  if (left > 0) {
    const y = LINE * (few.length + 1) + 12;
    el.append(svg("text", { x: 16, y }, LEGEND.more(left)));
  }
  return LINE * (few.length + 1 + Math.sign(left)) + GAP;
}

/** Append the fitted and other rows, if colors show them; return their height. */
function appendParts(el: SVGGElement, scene: Scene, shade: Shade): number {
  if (scene.held_out === null) {
    return 0;
  }
  el.append(heading("Rows", 12));
  PARTS.forEach((part, k) => {
    const look = { shape: 0, fill: partColors(shade)[k] };
    const words = partWords(scene, part);
    el.append(...row([0, LINE * (k + 1) + 12], look, words, partSize(scene, part)));
  });
  return LINE * 3 + GAP;
}

function keyed(scene: Scene, state: State) {
  const el = svg("g");
  let y = 0;
  for (const { kind, words } of keyOf(scene, state)) {
    const mark = swatch(kind);
    mark.setAttribute("transform", `translate(0 ${y + 2})`);
    el.append(mark);
    const x = SWATCH.width + 8;
    for (const line of linesOf(words, COLUMN - x - GAP, PLAIN)) {
      el.append(svg("text", { x, y: y + 12 }, line));
      y += LINE;
    }
  }
  return { el, height: y > 0 ? y + GAP : 0 };
}

// The lights of a saved picture, one line each, with mark, answer and numbers.

/** As in `tokens.css`. */
export const LIGHT_COLORS: Readonly<
  Record<Shade, Readonly<Record<LightState, string>>>
> = {
  light: { good: "#00866f", fair: "#b88900", bad: "#a62314", none: "#7d848d" },
  dark: { good: "#2fbfa3", fair: "#e0b000", bad: "#f0806e", none: "#8d959f" },
};

const LIGHT_LINE = 20;
/** Width of a mark, and the position of the first line of text. */
const MARK = 22;
const BASE = 14;
/** The space between answer and numbers. */
const SPACE = 8;
/** The widest text of a light. */
const LIGHT: typeof BOLD = { ...BOLD, size: 13 };

/** The lights below each other, within a width. */
export function savedLights(lights: readonly Light[], shade: Shade, width: number) {
  const el = svg("g", { "font-size": 13 });
  let y = 0;
  for (const { question, state, answer, figure } of lights) {
    const mark = lightShape(state, LIGHT_COLORS[shade][state]);
    mark.setAttribute("transform", `translate(8 ${y + BASE - 5}) scale(0.85)`);
    el.append(mark);
    const head = `${question} ${answer}`;
    let left = head.length;
    for (const line of linesOf(`${head} ${figure}`, width - MARK - SPACE, LIGHT)) {
      const [bold, rest] = [line.slice(0, left), line.slice(left).trim()];
      left = Math.max(left - line.length - 1, 0);
      el.append(
        svg(
          "text",
          { x: MARK, y: y + BASE },
          svg("tspan", { "font-weight": 600 }, bold),
          svg("tspan", { dx: bold && rest ? SPACE : null, opacity: 0.75 }, rest),
        ),
      );
      y += LIGHT_LINE;
    }
  }
  return { el, height: y };
}
