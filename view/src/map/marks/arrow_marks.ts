/** Arrows of features on linear maps: where objects with larger values lie. */

import type { Context } from "../../context";
import type { Arrows, SceneMap } from "../../scene/scene";
import { number } from "../../scene/words/format";
import { inWords, toldApart } from "../../scene/words/names";
import { svg } from "../../ui/elements";
import { type Box, bounds, linePath, type Point } from "../geometry";
import { bentLine, type Projection } from "../projection";
import { type ArrowName, arrowNames } from "./arrow_names";
import type { Rectangle } from "./label_places";

/** How long the longest arrow is, as a part of the shorter side of the map. */
const REACH = 0.42;
/** Of the point of an arrow, in pixels. */
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
  readonly el = svg("svg", { class: "ls-layer ls-arrows" });
  readonly #context: Context;
  #map: SceneMap | null = null;
  #marks: readonly Mark[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** Draw the arrows of the shown map, named where `taken` leaves room; or none. */
  draw(
    projection: Projection,
    isShown: boolean,
    widthOf: (text: string) => number,
    taken: readonly Rectangle[],
  ): void {
    const { scene, store } = this.#context;
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

/** Arrows by which one common factor has made the longest well visible. */
function marksOf(map: SceneMap, { origin, features, vectors }: Arrows): Mark[] {
  const factor = factorOf(bounds(map.positions.data), vectors.data);
  const [sx, sy] = map.stretch ?? [1, 1];
  return toldApart(features, LONGEST_NAME).map((name, k) => {
    const [x, y] = vectors.data.subarray(2 * k, 2 * k + 2);
    const words =
      `${inWords(features[k])}: objects with larger values lie this way. One standard ` +
      `deviation more is ${number(Math.hypot(x / sx, y / sy))} on the map; arrows are ` +
      "as long as that, in proportion.";
    const paths = ["ls-arrow-edge", "ls-arrow"].map((look) =>
      svg("path", { class: look }),
    );
    const text = svg("text", { class: "ls-arrow-name" }, svg("title", {}, words), name);
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

/** Put an arrow where it belongs; one whose name has no room is not shown. */
function place(
  { el, paths, text }: Mark,
  line: readonly Point[],
  name: ArrowName | null,
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

/** A line with a point at its end. */
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
