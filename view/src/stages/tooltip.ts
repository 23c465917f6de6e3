/** A tooltip with the data of the point under the pointer. */

import { isError } from "../color/coloring";
import * as format from "../format";
import type { Point } from "../geometry/plane";
import { COLORINGS, STAGE } from "../messages";
import { type Field, fieldsOf, fieldValue, sumOf } from "../scene/fields";
import {
  classOf,
  classTitle,
  distinctNames,
  objectId,
  shortened,
} from "../scene/names";
import type { Codes, Scene, Tensor } from "../scene/scene";
import { html } from "../ui/elements";
import { classSwatch } from "../ui/marks";
import { Media } from "../ui/media";

const MOST_FEATURES = 5;
/** Maximum number of columns that are only shown. */
const MOST_SHOWN = 6;
const LONGEST_TEXT = 160;
const LONGEST_NAME = 28;
const LONGEST_VALUE = 44;
const GAP = 14;

export class Tooltip {
  readonly el = html("div.ls-tooltip", { role: "tooltip", hidden: true });
  readonly #media: Media;
  #point: number | null = null;
  #map = 0;

  constructor(private readonly scene: Scene) {
    this.#media = new Media(scene);
  }

  /** Show the data of a point beside it, inside the stage; null hides them. */
  show(point: number | null, at: Point | null, map = 0): void {
    if (point === null || at === null) {
      this.el.hidden = true;
      this.#point = null;
      return;
    }
    if (point !== this.#point || map !== this.#map) {
      this.#point = point;
      this.#map = map;
      this.el.replaceChildren(...this.#content(point));
      this.el.dataset.object = String(point);
    }
    this.el.hidden = false;
    this.#place(at);
  }

  destroy(): void {
    this.#media.destroy();
    this.el.remove();
  }

  #place([x, y]: Point): void {
    const stage = this.el.parentElement;
    if (!stage) {
      return;
    }
    const { offsetWidth: width, offsetHeight: height } = this.el;
    const right = x + GAP + width <= stage.clientWidth;
    const left = right ? x + GAP : x - GAP - width;
    const top = Math.min(y + GAP, stage.clientHeight - height - 4);
    this.el.style.transform = `translate(${Math.max(left, 4)}px, ${Math.max(top, 4)}px)`;
  }

  #content(point: number): HTMLElement[] {
    const scene = this.scene;
    const rows = html("dl");
    const row = (name: string, ...value: (Node | string)[]) =>
      rows.append(html("dt", name), html("dd", ...value));
    if (scene.labels) {
      row("class", ...this.#named(scene.labels, point));
    }
    if (scene.predictions) {
      row("prediction", ...this.#named(scene.predictions, point));
    }
    if (scene.certainty) {
      row("certainty", format.percent(scene.certainty.data[point]));
    }
    const share = scene.maps[this.#map].judged_right?.data[point];
    if (share !== undefined) {
      const isTried = !Number.isNaN(share);
      row(STAGE.tooltipJudged, isTried ? STAGE.ofFits(share) : COLORINGS.neverTried);
    }
    const shown = this.#fields();
    const names = distinctNames(shown, LONGEST_NAME);
    shown.forEach((field, k) => {
      const { words } = fieldValue(field, point);
      row(names[k], html("bdi", shortened(words, LONGEST_VALUE)));
    });
    const notes = [
      isError(scene, point) ? STAGE.tooltipError : null,
      scene.held_out?.data[point] ? STAGE.tooltipHeldOut : null,
      shortened(this.#media.text(point) ?? "", LONGEST_TEXT) || null,
    ].filter((words) => words !== null);
    return [
      html("strong", shortened(objectId(scene, point), 40)),
      this.#media.picture(point),
      rows,
      ...notes.map((words) => html("p", words)),
    ].filter((part) => part !== null);
  }

  #named(classes: Tensor<Codes>, point: number): (Node | string)[] {
    const own = classOf(classes, point);
    const name = own < 0 ? "none" : classTitle(this.scene, own);
    return [classSwatch(this.scene, own), html("bdi", shortened(name, LONGEST_NAME))];
  }

  /** The most important columns of the model, or else the first columns; then the others. */
  #fields(): Field[] {
    const relevances = this.scene.model?.relevances?.data;
    const all = fieldsOf(this.scene);
    const seen = all.filter(({ features }) => features.length > 0);
    if (relevances) {
      seen.sort((a, b) => sumOf(b, relevances) - sumOf(a, relevances));
    }
    const others = all.filter(({ features }) => features.length === 0);
    return [...seen.slice(0, MOST_FEATURES), ...others.slice(0, MOST_SHOWN)];
  }
}
