/** Prototypes on the map: larger marks that can be clicked and reached by keyboard. */

import { paintIn } from "../../color/looks";
import type { Context } from "../../context";
import { STAGE } from "../../messages";
import { classOf, prototypeName } from "../../scene/names";
import { type State, togglePrototype } from "../../state";
import { svg } from "../../ui/elements";
import { clickable, diamond, diamondPath, moveTo } from "../../ui/marks";
import type { Size } from "../camera";
import type { Point } from "../geometry";
import { placeOf } from "../picking";
import type { Projection } from "../projection";

const SMALLEST = 4.5;
const LARGEST = 11;
/** The share of the map that marks may cover, before they are drawn smaller. */
const COVER = 0.02;
/** A mark reaches no further than this part of the way to the points it represents. */
const REACH = 0.5;
/** However close these are, it is no smaller than this. */
const LEAST = 3;

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
  readonly el = svg("svg.ls-layer.ls-prototypes");
  readonly #marks: readonly SVGGElement[];
  readonly #radii = new Map<SVGGElement, number>();
  /** How far prototypes are from their points, of each map that was shown. */
  readonly #spreads = new Map<number, Float64Array>();

  constructor(private readonly context: Context) {
    const { scene, store } = context;
    const { model } = scene;
    this.#marks = Array.from(model?.prototypes.labels.data ?? [], (own, k) => {
      const words = STAGE.prototype(model ? prototypeName(scene, model, k) : "");
      const color = paintIn(scene, own);
      const edge = diamond(LARGEST, "none");
      edge.classList.add("ls-edge");
      return clickable(
        () => togglePrototype(store, k),
        words,
        { class: "ls-prototype", "data-prototype": k, style: `color: ${color}` },
        svg("title", words),
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
    const { maps, model } = this.context.scene;
    const places = seen === undefined ? maps[state.map].prototypes?.data : seen;
    if (!state.marks || !places || !model) {
      return [];
    }
    const { labels } = model.prototypes;
    const usual = markRadius(this.#marks.length, map, pointSize);
    const { camera, disc } = projection;
    const spreads = seen === undefined && !disc ? this.#spreadsOn(state.map) : null;
    const radiusOf = (prototype: number) => {
      const spread = spreads?.[prototype] ?? Number.NaN;
      return Number.isNaN(spread)
        ? usual
        : Math.min(usual, Math.max(REACH * spread * camera.scale, LEAST));
    };
    return Array.from(labels.data, (_, prototype) => ({
      prototype,
      own: classOf(labels, prototype),
      at: projection.screen(placeOf(places, prototype)),
      radius: radiusOf(prototype),
    })).filter(({ own }) => !state.hiddenClasses.has(own));
  }

  /** Draw these marks; a halo separates them from whatever lies below. */
  draw(shown: readonly PrototypeMark[], state: State): void {
    const isShown = new Set(shown.map(({ prototype }) => prototype));
    this.#marks.forEach((mark, k) => {
      mark.style.display = isShown.has(k) ? "" : "none";
    });
    for (const one of shown) {
      const mark = this.#marks[one.prototype];
      const isChosen = state.prototypes.includes(one.prototype);
      mark.setAttribute("aria-pressed", String(isChosen));
      this.#resize(mark, one.radius);
      moveTo(mark, one.at);
    }
  }

  #resize(mark: SVGGElement, radius: number): void {
    if (this.#radii.get(mark) === radius) {
      return;
    }
    this.#radii.set(mark, radius);
    mark.style.setProperty("--ls-mark", `${radius.toFixed(1)}px`);
    for (const path of mark.querySelectorAll("path")) {
      path.setAttribute("d", diamondPath(radius));
    }
  }

  /** Mean distances of prototypes to the points they represent; NaN for none. */
  #spreadsOn(map: number): Float64Array {
    const known = this.#spreads.get(map);
    const { maps, model, n_points } = this.context.scene;
    const places = maps[map].prototypes?.data;
    if (known || !model || !places) {
      return known ?? new Float64Array();
    }
    const { data: member } = model.member_of;
    const { data: positions } = maps[map].positions;
    const sums = new Float64Array(this.#marks.length);
    const counts = new Float64Array(this.#marks.length);
    for (let i = 0; i < n_points; i++) {
      const k = member[i];
      const [x, y] = placeOf(positions, i);
      const [px, py] = placeOf(places, k);
      sums[k] += Math.hypot(x - px, y - py);
      counts[k]++;
    }
    const spreads = sums.map((sum, k) => (counts[k] ? sum / counts[k] : Number.NaN));
    this.#spreads.set(map, spreads);
    return spreads;
  }
}
