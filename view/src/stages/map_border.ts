/** The nearest point of the class border on the map, for the object that is open. */

import { paintIn } from "../color/looks";
import type { Context } from "../context";
import { BorderMark } from "../map/marks/border_mark";
import { placeOf } from "../map/picking";
import { bentLine, type Projection } from "../map/projection";
import { borderOnMap } from "../object/explanation";
import { positionIn } from "../scene/sorted_search";
import { classTitle, inWords } from "../scene/words/names";
import { svg } from "../ui/elements";

export class MapBorder {
  readonly el = svg("svg", { class: "ls-layer ls-borders" });
  readonly #context: Context;
  readonly #mark = new BorderMark();

  constructor(context: Context) {
    this.#context = context;
    this.el.append(this.#mark.el);
  }

  /** Draw it while the page of an object is open; not while the map is made. */
  draw(projection: Projection, positions: Float32Array, isForming: boolean): void {
    const { scene, store } = this.#context;
    const { object, tab, map } = store.state;
    const isShown = object !== null && tab === "object" && !isForming;
    const to = isShown ? borderOnMap(scene, map, object) : null;
    const found = scene.model?.explanations;
    if (!to || !found || object === null) {
      this.#mark.hide();
      return;
    }
    const index = found.change_classes.data[positionIn(found.objects.data, object)];
    const from = placeOf(positions, object);
    this.#mark.draw(
      [...bentLine(projection, from, to), projection.screen(to)],
      paintIn(scene, index),
      `The nearest point of the border: beyond it is ${inWords(classTitle(scene, index))}`,
    );
  }
}
