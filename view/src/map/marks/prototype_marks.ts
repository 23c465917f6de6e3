/** Prototypes on the map: larger marks that can be clicked and reached by keyboard. */

import { paintIn } from "../../color/looks";
import type { Context } from "../../context";
import type { Point } from "../../geometry/plane";
import { placeOf } from "../../geometry/plane";
import { STAGE } from "../../messages";
import { classOf, prototypeName } from "../../scene/names";
import { type State, togglePrototype } from "../../state";
import { svg } from "../../ui/elements";
import { clickable, diamond, diamondPath, moveTo } from "../../ui/marks";
import type { Size } from "../camera";
import type { Projection } from "../projection";

const SMALLEST = 4.5;
const LARGEST = 11;
/** Share of the map that marks may cover before they are drawn smaller. */
const COVER = 0.02;
/** Limit of the radius of a mark, as a share of the distance to its points. */
const REACH = 0.5;
/** The least radius of a mark, even if its points are closer. */
const LEAST = 3;

/** A mark on the stage, in pixels. */
export interface PrototypeMark {
  readonly prototype: number;
  /** Index of its class; -1 for no class. */
  readonly own: number;
  readonly at: Point;
  readonly radius: number;
}

/** The radius of marks, which leaves most of the map free but is larger than for points. */
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
  /** For each map that was shown, the distances of prototypes from their points. */
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

  /** The marks on the shown map whose classes are not hidden; at `seen` on a 3-D map. */
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

  /** Draw these marks; a halo separates them from the points below. */
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

  /** Mean distances of prototypes from the points that they represent; NaN without points. */
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
