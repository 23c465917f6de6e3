/** The data level in brief: class-wise centres, each as large as what it stands for. */

import { paintIn, quietPaintIn, shapeIn } from "../color/looks";
import type { Context, Stage } from "../context";
import { cameraFor } from "../map/camera";
import { bounds } from "../map/geometry";
import { clickable, moveTo } from "../map/marks/clickable_marks";
import { placeOf } from "../map/picking";
import type { Compressed } from "../scene/scene";
import { counted } from "../scene/words/format";
import type { Disc, State } from "../state";
import { html, svg } from "../ui/elements";
import { shapeMark } from "../ui/marks";
import { SvgStage } from "./svg_stage";

const SMALLEST = 3;
const LARGEST = 16;

export class CompressedStage implements Stage {
  readonly #context: Context;
  readonly #centers: Compressed;
  readonly #marks: readonly SVGGElement[];
  readonly #stage: SvgStage;

  constructor(el: HTMLElement, context: Context, centers: Compressed) {
    const { store } = context;
    const box = bounds(centers.positions.data);
    this.#context = context;
    this.#centers = centers;
    this.#marks = Array.from(centers.counts.data, (_, k) => this.#mark(k));
    this.#stage = new SvgStage(el, context, {
      name: "compressed",
      label: "Class-wise centres of the objects",
      places: () => centers.positions.data,
      fitted: (size) => cameraFor(box, size, 2 * LARGEST),
      draw: () => this.#draw(),
    });
    this.#stage.svg.append(...this.#marks);
    const words =
      `${counted(this.#marks.length, "centre")} stand for ` +
      `${counted(context.scene.n_points, "object")}; larger ones for more.`;
    this.#stage.root.append(html("p", { class: "ls-stage-words" }, words));
    this.update(store.state, store.state);
    this.#stage.draw();
  }

  update(state: State, before: State): void {
    const { hiddenClasses, selection } = state;
    this.#stage.update(state, before);
    const { labels, member_of } = this.#centers;
    const chosen = new Set(Array.from(selection, (point) => member_of.data[point]));
    this.#stage.root.classList.toggle("ls-has-selection", chosen.size > 0);
    this.#marks.forEach((mark, k) => {
      mark.style.display = hiddenClasses.has(labels.data[k]) ? "none" : "";
      mark.classList.toggle("ls-is-chosen", chosen.has(k));
    });
  }

  goHome(): void {
    this.#stage.goHome();
  }

  usualDisc(): Disc {
    return this.#stage.usualDisc();
  }

  destroy(): void {
    this.#stage.destroy();
  }

  #mark(k: number): SVGGElement {
    const { scene } = this.#context;
    const { counts, labels } = this.#centers;
    const most = counts.data.reduce((a, b) => Math.max(a, b), 1);
    const own = labels.data[k];
    // Areas tell how many: radii go with the square root.
    const r = Math.max(LARGEST * Math.sqrt(counts.data[k] / most), SMALLEST);
    const name = scene.classes[own] ?? "no class";
    const words = `Centre of ${counted(counts.data[k], "object")}, ${name}`;
    return clickable(
      () => this.#choose(k),
      words,
      {
        class: "ls-object-mark ls-cluster",
        "data-class": own,
        style: `--ls-quiet-fill: ${quietPaintIn(scene, own)}`,
      },
      svg("title", {}, words),
      shapeMark(shapeIn(scene, own), [0, 0], r, { fill: paintIn(scene, own) }),
    );
  }

  /** Choose the objects that a centre stands for; in the disc, it comes to the middle. */
  #choose(k: number): void {
    const points: number[] = [];
    this.#centers.member_of.data.forEach((center, point) => {
      if (center === k) {
        points.push(point);
      }
    });
    this.#context.store.set({ selection: Uint32Array.from(points) });
    this.#stage.focusOn(placeOf(this.#centers.positions.data, k));
  }

  #draw(): void {
    this.#marks.forEach((mark, k) => {
      moveTo(mark, this.#stage.screen(placeOf(this.#centers.positions.data, k)));
    });
  }
}
