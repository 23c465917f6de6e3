/** Prototypes on the map: larger marks that can be clicked and reached by keyboard. */

import { classPaint } from "./colors";
import { svg } from "./elements";
import { classOf, prototypeName } from "./names";
import type { Context } from "./panel";
import { placeOf } from "./picking";
import type { Plane } from "./plane";
import { clickable, diamond, moveTo } from "./stages/marks";
import { type State, togglePrototype } from "./state";

const RADIUS = 9;

export class PrototypeMarks {
  readonly el = svg("svg", { class: "ls-layer" });
  readonly #context: Context;
  readonly #marks: readonly SVGGElement[];

  constructor(context: Context) {
    const { scene, store } = context;
    const { model } = scene;
    this.#context = context;
    this.#marks = Array.from(model?.prototypes.labels.data ?? [], (own, k) => {
      const words = `Prototype ${model ? prototypeName(scene, model, k) : k}`;
      return clickable(
        () => togglePrototype(store, k),
        words,
        { class: "ls-prototype", "data-prototype": k },
        svg("title", {}, words),
        diamond(RADIUS, classPaint(own, scene.classes.length)),
      );
    });
    this.el.append(...this.#marks);
  }

  /** Put the marks where the shown map has the prototypes; none where it has none. */
  draw(plane: Plane, state: State, isForming: boolean): void {
    const { scene } = this.#context;
    const places = isForming ? undefined : scene.maps[state.map].prototypes?.data;
    const labels = scene.model?.prototypes.labels;
    this.#marks.forEach((mark, k) => {
      const isHidden = labels && state.hiddenClasses.has(classOf(labels, k));
      mark.style.display = !places || isHidden ? "none" : "";
      mark.setAttribute("aria-pressed", String(state.prototypes.includes(k)));
      if (places) {
        moveTo(mark, plane.screen(placeOf(places, k)));
      }
    });
  }
}
