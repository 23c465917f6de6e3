/** Arrows on the map: directions of features with their names, and arrows to a class border. */

import type { Context } from "../../context";
import { type Box, bounds, linePath, type Point } from "../../geometry/plane";
import { STAGE } from "../../messages";
import { distinctNames, inWords } from "../../scene/names";
import type { Arrows, SceneMap } from "../../scene/scene";
import { svg } from "../../ui/elements";
import type { Size } from "../camera";
import { bentLine, type Projection } from "../projection";
import { around, firstFree, type Place, type Rectangle, roomOf } from "./label_places";

/** Length of the longest arrow, as a share of the shorter side of the map. */
const REACH = 0.42;
/** Size of an arrowhead, in pixels. */
const HEAD = 8;
const HALF_HEAD = 3.5;
const LONGEST_NAME = 24;

interface Mark {
  readonly el: SVGGElement;
  readonly paths: readonly SVGPathElement[];
  readonly text: SVGTextElement;
  readonly name: string;
  /** End of the arrow on the map. */
  readonly end: Point;
}

export class ArrowMarks {
  readonly el = svg("svg.ls-layer.ls-arrows");
  #map: SceneMap | null = null;
  #marks: readonly Mark[] = [];

  constructor(private readonly context: Context) {}

  /** Draw the arrows of the shown map, with names outside the rooms in `taken`; or none. */
  draw(
    projection: Projection,
    isShown: boolean,
    widthOf: (text: string) => number,
    taken: readonly Rectangle[],
  ): void {
    const { scene, store } = this.context;
    const map = scene.maps[store.state.map];
    this.el.style.display = isShown && map.arrows ? "" : "none";
    if (!isShown || !map.arrows) {
      return;
    }
    if (map !== this.#map) {
      this.#map = map;
      this.#marks = marksOf(map, map.arrows);
      this.el.replaceChildren(...this.#marks.map(({ el }) => el));
    }
    const from = map.arrows.origin;
    const lines = this.#marks.map(({ end }) => [
      ...bentLine(projection, from, end),
      projection.screen(end),
    ]);
    const names = arrowNames(
      lines.map((line, k) => ({
        from: line[line.length - 2],
        to: line[line.length - 1],
        width: widthOf(this.#marks[k].name),
      })),
      projection.size,
      taken,
    );
    this.#marks.forEach((mark, k) => {
      place(mark, lines[k], names[k]);
    });
  }
}

/** The arrows, enlarged by a common factor so that the longest arrow is clearly visible. */
function marksOf(map: SceneMap, { origin, features, vectors }: Arrows): Mark[] {
  const factor = factorOf(bounds(map.positions.data), vectors.data);
  const [sx, sy] = map.stretch;
  return distinctNames(features, LONGEST_NAME).map((name, k) => {
    const [x, y] = vectors.data.subarray(2 * k, 2 * k + 2);
    const words = STAGE.arrow(inWords(features[k]), Math.hypot(x / sx, y / sy));
    const paths = ["ls-arrow-edge", "ls-arrow"].map((look) =>
      svg("path", { class: look }),
    );
    const text = svg("text.ls-arrow-name", svg("title", words), name);
    const el = svg("g", { role: "img", "aria-label": words }, ...paths, text);
    const end: Point = [origin[0] + factor * x, origin[1] + factor * y];
    return { el, paths, text, name, end };
  });
}

function factorOf({ x0, y0, x1, y1 }: Box, vectors: Float32Array): number {
  let longest = 0;
  for (let k = 0; k < vectors.length; k += 2) {
    longest = Math.max(longest, Math.hypot(vectors[k], vectors[k + 1]));
  }
  return (REACH * Math.min(x1 - x0, y1 - y0)) / (longest || 1);
}

/** Move an arrow to its place; an arrow whose name has no room is hidden. */
function place(
  { el, paths, text }: Mark,
  line: readonly Point[],
  name: Place | null,
): void {
  el.style.display = name ? "" : "none";
  if (!name) {
    return;
  }
  for (const path of paths) {
    path.setAttribute("d", arrowPath(line));
  }
  text.setAttribute("x", name.x.toFixed(1));
  text.setAttribute("y", (name.y + 4).toFixed(1));
  text.setAttribute("text-anchor", name.anchor);
}

/** A line with an arrowhead. */
export function arrowPath(line: readonly Point[]): string {
  const [end, before] = [line[line.length - 1], line[line.length - 2]];
  const length = Math.hypot(end[0] - before[0], end[1] - before[1]) || 1;
  const [ux, uy] = [(end[0] - before[0]) / length, (end[1] - before[1]) / length];
  const barb = (side: number): Point => [
    end[0] - HEAD * ux - side * HALF_HEAD * uy,
    end[1] - HEAD * uy + side * HALF_HEAD * ux,
  ];
  return linePath(line) + linePath([barb(1), end, barb(-1)]);
}

// Names at the ends of arrows, without overlaps.

interface NamedArrow {
  /** The start of the last straight part of the arrow, in pixels. */
  readonly from: Point;
  readonly to: Point;
  /** Width of the name. */
  readonly width: number;
}

const LINE = 15;
const GAP = 6;
/** Steeper arrows have their names above or below their ends. */
const STEEP = 0.35;
/** Free space around an arrowhead, in pixels. */
const TIP = 5;

/**
 * A place for each name beyond the end of its arrow and outside `taken`; earlier names have
 * precedence. Null if there is no place, or if the arrow ends outside the stage.
 */
export function arrowNames(
  arrows: readonly NamedArrow[],
  size: Size,
  taken: readonly Rectangle[] = [],
): (Place | null)[] {
  const tips = arrows.map(({ to: [x, y] }) => roomOf(x, y, TIP));
  return firstFree(arrows.map(candidates), size, [...taken, ...tips]);
}

/** Places beyond the end of an arrow: beside it, or slightly higher or lower. */
function candidates({ from, to, width }: NamedArrow): [Place, Rectangle][] {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const side = ux < 0 ? -1 : 1;
  const beside = (way: number, lines: number) =>
    named(to[0] + GAP * way, to[1] + GAP * uy + lines * LINE, way, width);
  const beyond = named(to[0], to[1] + (GAP + LINE / 2) * Math.sign(uy), 0, width);
  return Math.abs(ux) < STEEP
    ? [beyond, beside(side, 0), beside(-side, 0)]
    : [beside(side, 0), beside(side, -1), beside(side, 1)];
}

/** The room of a name to the right of a place (1), to its left (-1) or around it (0). */
function named(x: number, y: number, way: number, width: number): [Place, Rectangle] {
  const anchor = way > 0 ? "start" : way < 0 ? "end" : "middle";
  return [{ x, y, anchor }, around(x - ((1 - way) / 2) * width, y, width, LINE)];
}

// The nearest point of the class border: an arrow to it, and a short line along the
// border.

/** Half the length of the line along the border, in pixels. */
const HALF = 9;
/** A shorter arrow has no room for its head. */
const SHORTEST = 10;

export class BorderMark {
  readonly el = svg("g.ls-border", { role: "img" });
  readonly #title = svg("title");
  readonly #paths = ["ls-border-edge", "ls-border-line"].map((look) =>
    svg("path", { class: look }),
  );

  constructor() {
    this.el.append(this.#title, ...this.#paths);
    this.hide();
  }

  hide(): void {
    this.el.style.display = "none";
  }

  /** Draw the arrow from the point to the border, in the color of the class on the other side. */
  draw(line: readonly Point[], color: string, words: string): void {
    const d = borderPath(line);
    this.el.style.display = d ? "" : "none";
    this.el.setAttribute("aria-label", words);
    this.#title.textContent = words;
    for (const path of this.#paths) {
      path.setAttribute("d", d);
    }
    this.#paths[1].style.stroke = color;
  }
}

/** An arrow, and a line across its end; empty if the arrow has no direction. */
export function borderPath(line: readonly Point[]): string {
  const end = line[line.length - 1];
  const [before] = line
    .filter(([x, y]) => Math.hypot(x - end[0], y - end[1]) > 0.01)
    .slice(-1);
  if (!before) {
    return "";
  }
  const [dx, dy] = [end[0] - before[0], end[1] - before[1]];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const across = [-HALF, HALF].map(
    (far): Point => [end[0] - far * uy, end[1] + far * ux],
  );
  const [start] = line;
  const far = Math.hypot(end[0] - start[0], end[1] - start[1]);
  return (far >= SHORTEST ? arrowPath(line) : linePath(line)) + linePath(across);
}
