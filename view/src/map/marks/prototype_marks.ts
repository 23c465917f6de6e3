/** Prototypes on the map: larger marks that can be clicked and reached by keyboard. */

import { paintIn } from "../../color/looks";
import type { Context } from "../../context";
import { classOf, prototypeName } from "../../scene/words/names";
import { type State, togglePrototype } from "../../state";
import { svg } from "../../ui/elements";
import type { Size } from "../camera";
import type { Point } from "../geometry";
import { placeOf } from "../picking";
import type { Projection } from "../projection";
import { clickable, diamond, diamondPath, moveTo } from "./clickable_marks";

const SMALLEST = 4.5;
const LARGEST = 11;
/** The share of the map that marks may cover, before they are drawn smaller. */
const COVER = 0.02;

/** A mark that is shown, in pixels of the stage. */
export interface PrototypeMark {
  readonly prototype: number;
  /** Index of its class; -1 without one. */
  readonly own: number;
  readonly at: Point;
  readonly radius: number;
}

/** How large marks are: they leave most of the map free, and stay larger than points. */
export function markRadius(count: number, map: Size, pointSize: number): number {
  const roomy = Math.sqrt((COVER * map.width * map.height) / (2 * Math.max(count, 1)));
  return Math.max(
    Math.min(Math.max(roomy, SMALLEST), LARGEST),
    Math.min(0.7 * pointSize + 1, 1.4 * LARGEST),
  );
}

export class PrototypeMarks {
  readonly el = svg("svg", { class: "ls-layer ls-prototypes" });
  readonly #context: Context;
  readonly #marks: readonly SVGGElement[];
  #radius = 0;

  constructor(context: Context) {
    const { scene, store } = context;
    const { model } = scene;
    this.#context = context;
    this.#marks = Array.from(model?.prototypes.labels.data ?? [], (own, k) => {
      const words = `Prototype ${model ? prototypeName(scene, model, k) : k}`;
      const color = paintIn(scene, own);
      const edge = diamond(LARGEST, "none");
      edge.classList.add("ls-edge");
      return clickable(
        () => togglePrototype(store, k),
        words,
        { class: "ls-prototype", "data-prototype": k, style: `color: ${color}` },
        svg("title", {}, words),
        edge,
        diamond(LARGEST, "currentColor"),
      );
    });
    this.el.append(...this.#marks);
  }

  /** The marks of the shown map, of classes that are not hidden; at `seen` in space. */
  shown(
    projection: Projection,
    state: State,
    map: Size,
    pointSize: number,
    seen?: Float32Array | null,
  ): PrototypeMark[] {
    const { maps, model } = this.#context.scene;
    const places = seen === undefined ? maps[state.map].prototypes?.data : seen;
    if (!state.marks || !places || !model) {
      return [];
    }
    const { labels } = model.prototypes;
    const radius = markRadius(this.#marks.length, map, pointSize);
    return Array.from(labels.data, (_, prototype) => ({
      prototype,
      own: classOf(labels, prototype),
      at: projection.screen(placeOf(places, prototype)),
      radius,
    })).filter(({ own }) => !state.hiddenClasses.has(own));
  }

  /** Draw these marks, all alike: a halo parts them from whatever lies below. */
  draw(shown: readonly PrototypeMark[], state: State): void {
    this.#resize(shown[0]?.radius ?? this.#radius);
    const isShown = new Set(shown.map(({ prototype }) => prototype));
    this.#marks.forEach((mark, k) => {
      mark.style.display = isShown.has(k) ? "" : "none";
    });
    for (const one of shown) {
      const mark = this.#marks[one.prototype];
      const isChosen = state.prototypes.includes(one.prototype);
      mark.setAttribute("aria-pressed", String(isChosen));
      moveTo(mark, one.at);
    }
  }

  #resize(radius: number): void {
    if (radius === this.#radius) {
      return;
    }
    this.#radius = radius;
    this.el.style.setProperty("--ls-mark", `${radius.toFixed(1)}px`);
    for (const path of this.el.querySelectorAll("path")) {
      path.setAttribute("d", diamondPath(radius));
    }
  }
}
